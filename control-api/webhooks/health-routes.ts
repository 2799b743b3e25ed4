import type { Clock } from "@parley/shared/clock.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import {
  deliveryDetailResponseSchema,
  deliveryParamsSchema,
  type HEALTH_RANGES,
  healthQuerySchema,
  webhookHealthResponseSchema,
} from "@parley/shared/contracts/webhooks.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../database/open.ts";
import { WEBHOOKS_READ } from "../http/access/rules.ts";
import { actorOf } from "../http/plugins/access.ts";
import type { Reads } from "../http/reads.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../http/routes.ts";
import { findDelivery } from "./delivery-store.ts";
import { findEndpoint } from "./endpoint-store.ts";
import { type HealthWindow, readHealth } from "./health-store.ts";
import { fixedHeaders } from "./send.ts";

const common = { tags: ["webhooks"], security: KEY_OR_USER_SECURITY };

type Range = (typeof HEALTH_RANGES)[number];
/** About sixty points each, as many as a chart shows. */
const BUCKETS: Record<Range, { readonly secs: number; readonly count: number }> = {
  hour: { secs: 60, count: 60 },
  day: { secs: 1_800, count: 48 },
  week: { secs: 10_800, count: 56 },
};

/** Health of endpoints over time, and one delivery in full. */
export function endpointHealthRoutes(
  app: Api,
  { database, reads, clock }: { database: Database; reads: Reads; clock: Clock },
): void {
  app.get(
    "/api/orgs/:orgId/webhooks/health",
    {
      config: { access: WEBHOOKS_READ },
      schema: {
        ...common,
        summary: "Read what became of deliveries over the last hour, day or week",
        params: orgParamsSchema,
        querystring: healthQuerySchema,
        response: responses(200, webhookHealthResponseSchema),
      },
    },
    async (request) => {
      const { range } = request.query;
      const window = healthWindow(range, clock.wallMs());
      const actor = actorOf(request);
      const endpoints = await reads.run(actor, (ofReads) => readHealth(ofReads, actor.orgId, window));
      const { from, to, bucketSecs } = window;
      return success({ range, from: from.toISOString(), to: to.toISOString(), bucketSecs, endpoints });
    },
  );
  app.get(
    "/api/orgs/:orgId/webhooks/:id/deliveries/:deliveryId",
    {
      config: { access: WEBHOOKS_READ },
      schema: {
        ...common,
        summary: "Read a delivery with its request and the response to its latest attempt",
        params: deliveryParamsSchema,
        response: responses(200, deliveryDetailResponseSchema),
      },
    },
    async (request) => {
      const { id, deliveryId } = request.params;
      const webhook = await findEndpoint(database, actorOf(request).orgId, id);
      const found = webhook && (await findDelivery(database, id, deliveryId));
      if (!found) throw new AppError("not_found", "There is no such delivery of this webhook.");
      const { delivery, body } = found;
      return success({
        ...delivery,
        request: { url: webhook.url, headers: fixedHeaders(delivery.event, delivery.id), body },
      });
    },
  );
}

/** The time that a range covers; it ends with the current bucket. */
export function healthWindow(range: Range, nowMs: number): HealthWindow {
  const { secs, count } = BUCKETS[range];
  const toMs = (Math.floor(nowMs / (secs * 1_000)) + 1) * secs * 1_000;
  return { from: new Date(toMs - count * secs * 1_000), to: new Date(toMs), bucketSecs: secs };
}
