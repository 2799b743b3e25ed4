import { z } from "zod";
import { bridgeErrorSchema } from "./errors.ts";

/** Counts the calls of one frame; an answer carries that of its call. */
const callIdSchema = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const methodNameSchema = z.string().min(1).max(64);

/** A call, from a frame to its host, and from the host to the server. Who calls is never in it. */
export const requestSchema = z.strictObject({
  kind: z.literal("request"),
  id: callIdSchema,
  method: methodNameSchema,
  /** The arguments by name. */
  params: z.record(z.string().max(64), z.unknown()),
});
export type BridgeRequest = z.infer<typeof requestSchema>;

/** The frame does not wait for the call any more, or ends the subscription that it began. */
export const cancelSchema = z.strictObject({ kind: z.literal("cancel"), id: callIdSchema });

/** The call is over; of a subscription: it is in force, and events follow. */
export const resultSchema = z.object({
  kind: z.literal("result"),
  id: callIdSchema,
  result: z.unknown(),
});
export type BridgeResult = z.infer<typeof resultSchema>;

/** The call was refused; of a subscription that was in force: it ended, and for this reason. */
export const errorSchema = z.object({
  kind: z.literal("error"),
  id: callIdSchema,
  error: bridgeErrorSchema,
});

/** One event of a method that streams, to whoever called it. */
export const eventSchema = z.object({
  kind: z.literal("event"),
  id: callIdSchema,
  event: z.unknown(),
});
export type BridgeEvent = z.infer<typeof eventSchema>;

/** The one answer of a call that does not stream. */
export const responseSchema = z.discriminatedUnion("kind", [resultSchema, errorSchema]);
export type BridgeResponse = z.infer<typeof responseSchema>;

/** What a stream of the server says about its calls. */
export const streamMessageSchema = z.discriminatedUnion("kind", [resultSchema, errorSchema, eventSchema]);
export type BridgeStreamMessage = z.infer<typeof streamMessageSchema>;

/**
 * Where the host brings calls: a JSON request and its JSON answer; `bytes` for methods with raw bytes (the request in
 * the query as `request`, bytes as the body, and an `application/octet-stream` answer where the result is bytes); `stream`
 * for methods that stream an answer, as server-sent events whose data are stream messages.
 */
export const bridgePaths = (orgId: string, appId: string) => {
  const app = `/api/orgs/${encodeURIComponent(orgId)}/apps/${encodeURIComponent(appId)}`;
  return {
    /** POST: another frame; the answer has its token and what it begins with. */
    frames: `${app}/frames`,
    call: `${app}/bridge`,
    bytes: `${app}/bridge/bytes`,
    stream: `${app}/bridge/stream`,
  } as const;
};

/** The header in which the host sends the token of the frame, besides the user's own credential. */
export const FRAME_TOKEN_HEADER = "x-app-frame";
/** In a URL, where a request goes with raw bytes. */
export const REQUEST_QUERY = "request";
