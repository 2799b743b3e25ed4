import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** `/api/orgs/{orgId}/personal-data`: lists, exports, and erases what is kept of one person or one call. */

const ONE_OF = "one of identifier and sessionId has to be given";
const subject = {
  /** The person's telephone number, or the `identifier` of their calls and chats, to its last blank. */
  identifier: z.string().min(1).max(128).optional(),
  sessionId: z.string().min(1).max(64).optional(),
};
const isOne = (given: {
  readonly identifier?: string | undefined;
  readonly sessionId?: string | undefined;
}) => (given.identifier === undefined) !== (given.sessionId === undefined);

export const personalDataQuerySchema = z
  .object(subject)
  .refine(isOne, { message: ONE_OF, path: ["identifier"] });
export const erasePersonalDataSchema = z
  .strictObject(subject)
  .refine(isOne, { message: ONE_OF, path: ["identifier"] });
export type DataSubject = z.infer<typeof personalDataQuerySchema>;

export const personalDataSchema = z.object({
  /** The person's calls and chats. */
  sessions: z.int(),
  /** Ongoing sessions, which cannot be erased yet. */
  open: z.int(),
  /** The stored data by kind: `transcript`, `recordings`, … */
  kinds: z.array(z.object({ name: z.string(), count: z.int() })),
});
export type PersonalDataSummary = z.infer<typeof personalDataSchema>;
export const personalDataResponseSchema = wrapped(personalDataSchema);

export const personalDataErasedResponseSchema = wrapped(
  z.object({
    /** Erased calls and chats. */
    erased: z.int(),
    /** Erased entries beside the sessions: in campaigns' lists, and what visitors said about themselves. */
    entries: z.int(),
    /** Ongoing calls and people being dialed; ask again when they are over. */
    open: z.int(),
  }),
);
