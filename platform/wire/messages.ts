import { z } from "zod";
import { bridgeErrorSchema } from "./errors.ts";

/** Numbers the calls of one frame; an answer carries its call's number. */
const callIdSchema = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const methodNameSchema = z.string().min(1).max(64);

/** A call, from a frame to its host and from the host to the server. It never names the caller. */
export const requestSchema = z.strictObject({
  kind: z.literal("request"),
  id: callIdSchema,
  method: methodNameSchema,
  /** The arguments by name. */
  params: z.record(z.string().max(64), z.unknown()),
});
export type BridgeRequest = z.infer<typeof requestSchema>;

/** The frame no longer waits for the call, or ends its subscription. */
export const cancelSchema = z.strictObject({ kind: z.literal("cancel"), id: callIdSchema });

/** The call is over; a subscription is active, and events follow. */
export const resultSchema = z.object({
  kind: z.literal("result"),
  id: callIdSchema,
  result: z.unknown(),
});
export type BridgeResult = z.infer<typeof resultSchema>;

/** The call was refused, or an active subscription ended for this reason. */
export const errorSchema = z.object({
  kind: z.literal("error"),
  id: callIdSchema,
  error: bridgeErrorSchema,
});

/** One event of a streaming method, for its caller. */
export const eventSchema = z.object({
  kind: z.literal("event"),
  id: callIdSchema,
  event: z.unknown(),
});
export type BridgeEvent = z.infer<typeof eventSchema>;

/** The only answer to a call that does not stream. */
export const responseSchema = z.discriminatedUnion("kind", [resultSchema, errorSchema]);
export type BridgeResponse = z.infer<typeof responseSchema>;

/** A message in the server's stream about a call. */
export const streamMessageSchema = z.discriminatedUnion("kind", [resultSchema, errorSchema, eventSchema]);
export type BridgeStreamMessage = z.infer<typeof streamMessageSchema>;

/** A message in the stream of a page. The first says the name by which subscriptions are put into it. */
export const pageStreamMessageSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("opened"), streamId: z.string() }),
  ...streamMessageSchema.options,
]);

/**
 * Endpoints for calls: `call` takes a JSON request and returns JSON; `bytes` serves methods with raw bytes
 * (request in the query as `request`, bytes as the body, an `application/octet-stream` answer where the
 * result is bytes); `stream` serves streaming answers as server-sent events whose data are stream messages.
 * `streams` opens one stream for all subscriptions of a page, as browsers open few connections; `into` puts a
 * subscription into it, under the id of its request, or takes it out (`cancel`).
 */
export const bridgePaths = (orgId: string, appId: string) => {
  const app = `/api/orgs/${encodeURIComponent(orgId)}/apps/${encodeURIComponent(appId)}`;
  return {
    /** POST opens another frame; the answer has its token and initial state. */
    frames: `${app}/frames`,
    call: `${app}/bridge`,
    bytes: `${app}/bridge/bytes`,
    stream: `${app}/bridge/stream`,
    streams: `/api/orgs/${encodeURIComponent(orgId)}/app-streams`,
    into: (streamId: string) => `${app}/bridge/streams/${encodeURIComponent(streamId)}`,
  } as const;
};

/** The header that carries the frame's token, besides the user's own credential. */
export const FRAME_TOKEN_HEADER = "x-app-frame";
/** Query parameter for a request sent with raw bytes. */
export const REQUEST_QUERY = "request";
