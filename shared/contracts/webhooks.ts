import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { EVENT_NAMES, isEventName } from "./event-catalog/catalog.ts";
import { instantSchema } from "./instant.ts";
import { orgParamsSchema } from "./organizations.ts";
import { clampedPageLimit } from "./paging.ts";

/** Registration and health of webhook endpoints on both APIs (docs/webhooks.md#registration). */

const url = z.string().min(1).max(2_048);
/** Any string is an event name here; a name that nothing raises is never delivered (docs/webhooks.md#registration). */
const anyEvents = z.array(z.string()).max(100);
const agentId = z.string().min(1).max(64);

/** Null stands for what is left out: an endpoint is replaced by what was read of the one before, which may have nulls. */
function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** Management API: camelCase only; other fields are silently ignored and any event name is accepted. */
export const createWebhookSchema = z.object({
  url,
  events: orNull(anyEvents),
  agentId: orNull(agentId),
  includeRecording: z.boolean().default(false),
  includeTranscript: z.boolean().default(false),
});

/** Events of the catalog, or `*`. */
export const knownEventsSchema = z
  .array(
    z
      .string()
      .refine((name) => name === "*" || isEventName(name), { message: "not an event of the catalog" }),
  )
  .max(100);

/** REST hooks: either casing, three names for the address, and only events of the catalog. */
export const createHookSchema = z
  .strictObject({
    target_url: url.optional(),
    targetUrl: url.optional(),
    url: url.optional(),
    events: orNull(knownEventsSchema),
    agent_id: orNull(agentId),
    agentId: orNull(agentId),
    include_recording: z.boolean().optional(),
    includeRecording: z.boolean().optional(),
    include_transcript: z.boolean().optional(),
    includeTranscript: z.boolean().optional(),
  })
  .refine(
    (body) => [body.target_url, body.targetUrl, body.url].filter((value) => value !== undefined).length === 1,
    {
      message: "send exactly one of target_url, targetUrl and url",
    },
  )
  .transform((body) => ({
    url: body.target_url ?? body.targetUrl ?? body.url ?? "",
    events: body.events,
    agentId: body.agent_id ?? body.agentId,
    includeRecording: body.include_recording ?? body.includeRecording ?? false,
    includeTranscript: body.include_transcript ?? body.includeTranscript ?? false,
  }));

export interface NewEndpoint {
  readonly url: string;
  readonly events?: readonly string[] | undefined;
  readonly agentId?: string | undefined;
  readonly includeRecording: boolean;
  readonly includeTranscript: boolean;
}

export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  agentId: z.string().nullable(),
  includeRecording: z.boolean(),
  includeTranscript: z.boolean(),
  enabled: z.boolean(),
  last_error: z.string().nullable(),
  createdAt: z.string(),
});
export type Webhook = z.infer<typeof webhookSchema>;
const created = webhookSchema.extend({ signing_secret: z.string() });

export const webhookCreatedResponseSchema = wrapped(created);
export const webhookResponseSchema = wrapped(webhookSchema);
export const webhooksResponseSchema = wrapped(z.object({ webhooks: z.array(webhookSchema), total: z.int() }));
export const webhookParamsSchema = orgParamsSchema.extend({ id: z.string().min(1).max(64) });
export const webhookDeletedResponseSchema = wrapped(z.object({ id: z.string() }));

export const deliverySchema = z.object({
  id: z.string(),
  event: z.string(),
  /** The session that the event is about; null for organization events, and when it is not known. */
  sessionId: z.string().nullable(),
  /** The delivery whose body this one repeats; null unless it is a replay. */
  replayOf: z.string().nullable(),
  status: z.enum(["pending", "failed", "delivered", "dead"]),
  attempts: z.int(),
  createdAt: z.string(),
  lastAttemptAt: z.string().nullable(),
  nextAttemptAt: z.string().nullable(),
  /** Status of the latest attempt. */
  responseStatus: z.int().nullable(),
  responseBody: z.string().nullable(),
  error: z.string().nullable(),
  durationMs: z.int().nullable(),
});
export type Delivery = z.infer<typeof deliverySchema>;
/** A delivery's position within its endpoint: its creation time in ms, and its id. */
const deliveryCursorSchema = z.string().regex(/^\d{1,15}\.[A-Za-z0-9_-]{1,64}$/, "nextBefore of a page");

export const deliveriesQuerySchema = z.object({
  limit: clampedPageLimit(200),
  /** `nextBefore` of the previous page. */
  before: deliveryCursorSchema.optional(),
  /** The id of a delivery, a session, or a call. */
  search: z.string().trim().min(1).max(64).optional(),
  status: z.enum(["pending", "failed", "delivered", "dead"]).optional(),
  event: z.string().max(128).optional(),
});
export const deliveriesResponseSchema = wrapped(
  z.object({
    deliveries: z.array(deliverySchema),
    /** Count within this page. */
    total: z.int(),
    /** Where the next page begins; null on the last one. */
    nextBefore: z.string().nullable(),
  }),
);

/** One delivery with what was sent. */
export const deliveryDetailSchema = deliverySchema.extend({
  request: z.object({
    url: z.string(),
    /** Headers common to all attempts; signatures are only for the receiver. */
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
});
export type DeliveryDetail = z.infer<typeof deliveryDetailSchema>;
export const deliveryDetailResponseSchema = wrapped(deliveryDetailSchema);

export const HEALTH_RANGES = ["hour", "day", "week"] as const;
export const healthQuerySchema = z.strictObject({ range: z.enum(HEALTH_RANGES).default("day") });
const counts = {
  /** Deliveries raised in the period, by outcome. */
  delivered: z.int(),
  dead: z.int(),
  /** Failed so far, with a retry to come. */
  failed: z.int(),
  pending: z.int(),
  /** Time to the answer of successful deliveries, in ms; null when there are none. */
  p50Ms: z.int().nullable(),
  p95Ms: z.int().nullable(),
};
const endpointHealthSchema = z.object({
  id: z.string(),
  ...counts,
  /** Oldest first; omits times in which nothing was raised. */
  buckets: z.array(z.object({ at: z.string(), ...counts })),
});
export const webhookHealthSchema = z.object({
  range: z.enum(HEALTH_RANGES),
  from: z.string(),
  to: z.string(),
  bucketSecs: z.int(),
  endpoints: z.array(endpointHealthSchema),
});
export type WebhookHealth = z.infer<typeof webhookHealthSchema>;
export type EndpointHealth = z.infer<typeof endpointHealthSchema>;
export const webhookHealthResponseSchema = wrapped(webhookHealthSchema);

export const deliveryParamsSchema = webhookParamsSchema.extend({ deliveryId: z.string().min(1).max(64) });
/** More than any event has fields: each override copies the sample, so the work grows with their square. */
const MAX_OVERRIDES = 100;
/** Replacements for values of the sample, by field path: `{ "endReason": null, "transcript.0.text": "Hi" }`. */
const overridesSchema = z
  .record(z.string().min(1).max(256), z.unknown())
  .refine((set) => Object.keys(set).length <= MAX_OVERRIDES, { error: `at most ${MAX_OVERRIDES} values` });
export const testWebhookSchema = z
  .strictObject({ event: z.enum(EVENT_NAMES).optional(), set: overridesSchema.optional() })
  .nullish();
/** Sends a sample to every endpoint and listener subscribed to its event, or to one of them. */
export const triggerEventSchema = z.strictObject({
  event: z.string().refine(isEventName, {
    error: ({ input }) => `there is no event ${JSON.stringify(input)}; there are ${EVENT_NAMES.join(", ")}`,
  }),
  set: overridesSchema.optional(),
  endpoint_id: z.string().min(1).max(64).optional(),
});
export const triggeredSchema = z.object({
  event: z.string(),
  deliveries: z.array(
    z.object({
      id: z.string(),
      endpoint_id: z.string(),
      /** Null for a listener (`parley listen`). */
      url: z.string().nullable(),
    }),
  ),
  total: z.int(),
});
/**
 * Replays what was raised at or after `since` (RFC 3339) and finally failed, oldest first; at most 1,000 at once.
 * Send the answer's `nextAfter` as `after` to continue.
 */
export const replaySchema = z.strictObject({
  since: instantSchema,
  /** Also replays what was delivered. */
  all: z.boolean().default(false),
  after: z.string().min(1).max(64).optional(),
});
/** Queued deliveries, listed among the others. `nextAfter` is null when that was all. */
export const queuedResponseSchema = wrapped(
  z.object({ deliveryIds: z.array(z.string()), total: z.int(), nextAfter: z.string().nullable() }),
);

const hook = z.object({
  id: z.string(),
  target_url: z.string(),
  events: z.array(z.string()),
  agent_id: z.string().nullable(),
  include_recording: z.boolean(),
  include_transcript: z.boolean(),
});
export const hookCreatedSchema = hook.extend({ signing_secret: z.string() });
export const hookParamsSchema = z.object({ id: z.string().min(1).max(64) });
/** The target of a delete is in the path or in the body. */
export const hookDeleteSchema = z.strictObject({ id: z.string().min(1).max(64) });
export const hookDeletedSchema = z.object({ id: z.string(), deleted: z.literal(true) });

export const eventSampleQuerySchema = z
  .strictObject({ type: z.string().max(128).optional(), event: z.string().max(128).optional() })
  .refine(({ type, event }) => isEventName(type ?? event ?? ""), {
    message: "send type (or event) with an event of the catalog",
  });
export const eventSampleSchema = z.object({
  event_type: z.string(),
  is_real: z.boolean(),
  samples: z.array(z.record(z.string(), z.unknown())),
});
