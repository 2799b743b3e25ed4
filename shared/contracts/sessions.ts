import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { pageLimit, queryInt } from "./paging.ts";

/** Web session arguments. `identifier` is the trusted caller identity given at call start. */
export const initWebCallSchema = z.strictObject({
  agentId: z.string().min(1).max(64),
  variables: z
    .record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, "a name of letters, digits and _, at most 64"),
      z.string().max(4_000),
    )
    .refine((variables) => Object.keys(variables).length <= 100, "at most 100 variables")
    .default({}),
  firstResponse: z.string().min(1).max(4_000).optional(),
  identifier: z.string().min(1).max(128).optional(),
});
export type InitWebCall = z.infer<typeof initWebCallSchema>;

/** With a client token the body may be empty: everything was fixed at minting. */
export const initWebCallBodySchema = z
  .strictObject({
    ...initWebCallSchema.shape,
    agentId: initWebCallSchema.shape.agentId.optional(),
    variables: initWebCallSchema.shape.variables.unwrap().optional(),
  })
  .nullish();
export type InitWebCallBody = NonNullable<z.infer<typeof initWebCallBodySchema>>;

export const webCallSchema = z.object({ sessionId: z.string(), websocketUrl: z.string() });
export type WebCall = z.infer<typeof webCallSchema>;
export const webCallResponseSchema = wrapped(webCallSchema);

export const streamResponseSchema = wrapped(z.object({ streamUrl: z.string() }));
export const endedResponseSchema = wrapped(z.object({ sessionId: z.string(), status: z.literal("ended") }));

export const sessionParamsSchema = z.object({ id: z.string().min(1).max(64) });

/** The talk page's own session, without a key: demo workspace only. */
export const talkSessionSchema = webCallSchema.extend({ agentName: z.string() });

/** Pages of what was said and done in a session, oldest first; each page says where the next one begins. */
export const sessionPageQuerySchema = z.object({
  limit: pageLimit(500, 100),
  /** `nextAfter` of the previous page. */
  after: queryInt({ min: -1, max: 2_147_483_647, usual: -1 }),
});
export type SessionPageQuery = z.infer<typeof sessionPageQuerySchema>;

const happened = {
  id: z.string(),
  /** Counts up within the session, with gaps for other events. */
  seq: z.int(),
  turn: z.int(),
  at: z.iso.datetime(),
  /** Milliseconds since the call was answered, or since it was created if it never was. */
  offsetMs: z.int(),
};
export const sessionMessageSchema = z.object({
  ...happened,
  role: z.enum(["user", "assistant"]),
  /** For the assistant, `text` stops at what the caller heard. */
  text: z.string(),
  interrupted: z.boolean(),
  source: z.string(),
});
export type SessionMessage = z.infer<typeof sessionMessageSchema>;
export const sessionMessagesResponseSchema = wrapped(
  z.object({ sessionId: z.string(), messages: z.array(sessionMessageSchema), nextAfter: z.int().nullable() }),
);

export const toolInvocationSchema = z.object({
  ...happened,
  name: z.string(),
  arguments: z.unknown(),
  result: z.unknown(),
  status: z.string(),
  durationMs: z.int().min(0),
});
export type ToolInvocation = z.infer<typeof toolInvocationSchema>;
export const toolInvocationsResponseSchema = wrapped(
  z.object({
    sessionId: z.string(),
    toolInvocations: z.array(toolInvocationSchema),
    nextAfter: z.int().nullable(),
  }),
);
