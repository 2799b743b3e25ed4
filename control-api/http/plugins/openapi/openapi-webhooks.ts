import {
  EVENT_CATALOG,
  EVENT_NAMES,
  type EventName,
  isRaised,
} from "@parley/shared/contracts/event-catalog/catalog.ts";
import { z } from "zod";

const DELIVERY_HEADERS = {
  "X-Service-Event": "The event's name.",
  "X-Service-Delivery": "The delivery's id: the same on each retry, another for each endpoint and replay.",
  "X-Service-Signature": "`sha256=<hex>`: HMAC-SHA256 of the raw body, keyed with the signing secret.",
  "webhook-id": "The delivery's id, as Standard Webhooks names it.",
  "webhook-timestamp": "When this attempt was signed, in seconds since the epoch.",
  "webhook-signature": "`v1,<base64>`: HMAC-SHA256 of `id.timestamp.body`.",
} as const;

const ANSWERS = {
  "2XX": { description: "Taken. Answer within 30 seconds, and work afterwards." },
  "410": { description: "The endpoint is gone: it is disabled and gets nothing more." },
  default: { description: "Anything else, redirects included, is a failure; it is retried seven times." },
} as const;

type Webhooks = Record<string, { readonly post: ReturnType<typeof operationOf> }>;

/** Shared by all control APIs of a process: generating them takes a tenth of the start. */
let written: Webhooks | undefined;

/** The `webhooks` of the OpenAPI document: every event of the catalog, as receivers get it. */
export function openApiWebhooks(): Webhooks {
  written ??= Object.fromEntries(EVENT_NAMES.map((name) => [name, { post: operationOf(name) }]));
  return structuredClone(written);
}

function operationOf(name: EventName) {
  const { summary, schema, sample } = EVENT_CATALOG[name];
  // As input schema: later versions may add fields, which receivers must accept.
  const { $schema: _, ...payload } = z.toJSONSchema(schema, { io: "input" });
  return {
    operationId: `on${name.split(/[._]/).map(capitalized).join("")}`,
    tags: ["webhooks"],
    summary,
    description: isRaised(name) ? "Signed; see docs/webhooks.md." : "Signed. Not raised by this version yet.",
    // Receivers require no credential: the signature identifies the sender.
    security: [],
    parameters: Object.entries(DELIVERY_HEADERS).map(([header, description]) => ({
      name: header,
      in: "header" as const,
      required: true,
      description,
      schema: { type: "string" as const },
    })),
    requestBody: {
      required: true,
      content: { "application/json": { schema: payload as object, example: sample } },
    },
    responses: ANSWERS,
  };
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
