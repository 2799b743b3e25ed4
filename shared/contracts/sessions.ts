import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** Web session arguments (spec 1). `identifier` is the trusted caller identity given at call start (spec 2). */
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

/** With a client token nothing need be said: all of it was fixed at mint. */
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
