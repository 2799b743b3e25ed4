import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** `/api/orgs/{orgId}/personal-data`: what is kept of one person, or of one call; to be listed, handed out, and erased. */

const ONE_OF = "one of identifier and sessionId has to be given";
const subject = {
  /** What a person is known by: a telephone number, or the `identifier` that calls and chats were made with. */
  identifier: z.string().trim().min(1).max(128).optional(),
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
  /** Calls and chats with this person. */
  sessions: z.int(),
  /** Of these, those that go on: they cannot be erased yet. */
  open: z.int(),
  /** What there is of them, by kind: `transcript`, `recordings`, … */
  kinds: z.array(z.object({ name: z.string(), count: z.int() })),
});
export type PersonalDataSummary = z.infer<typeof personalDataSchema>;
export const personalDataResponseSchema = wrapped(personalDataSchema);

export const personalDataErasedResponseSchema = wrapped(
  z.object({
    /** Calls and chats. */
    erased: z.int(),
    /** Entries that were kept of the person beside them: of campaigns' lists, of visitors' words about themselves. */
    entries: z.int(),
    /** Calls that go on, and people who are being dialed; ask again when it is over. */
    open: z.int(),
  }),
);
