import type { Channels } from "@parley/shared/bus/bus.ts";
import {
  claimedSchema,
  claimQuerySchema,
  createListenerSchema,
  listenerCreatedSchema,
  listenerDeletedSchema,
  listenerParamsSchema,
  reportedSchema,
  reportParamsSchema,
  reportSchema,
} from "@parley/shared/contracts/listeners.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { FastifyReply } from "fastify";
import { KEY_WRITES } from "../http/access/rules.ts";
import { keyOf } from "../http/plugins/access.ts";
import { clientOf } from "../http/plugins/client.ts";
import { type Api, KEY_SECURITY, responses } from "../http/routes.ts";
import { ListenerWaits } from "./listener-waits.ts";
import { claim, type ListenerDeps, listen, report, stopListening } from "./listeners.ts";

const common = { tags: ["webhooks"], security: KEY_SECURITY };
const config = { access: KEY_WRITES };

/** `/api/v1/listeners`: the API of `parley listen`. */
export function listenerRoutes(
  app: Api,
  given: Omit<ListenerDeps, "waits"> & { readonly channels: Channels; readonly log: Logger },
): void {
  const waits = new ListenerWaits(given);
  app.addHook("preClose", () => waits.stop());
  const deps = { ...given, waits };
  ownRoutes(app, deps);
  deliveryRoutes(app, deps);
}

function ownRoutes(app: Api, deps: ListenerDeps): void {
  app.post(
    "/api/v1/listeners",
    {
      config,
      schema: {
        ...common,
        summary: "Listen for events for a while; the signing secret is shown once",
        body: createListenerSchema,
        response: responses(201, listenerCreatedSchema),
      },
    },
    async (request, reply) => {
      const by = { actor: keyOf(request), client: clientOf(request) };
      const wanted = request.body ?? { include_recording: false, include_transcript: false };
      const { id, secret, listeningUntil } = await listen(wanted, by, deps);
      return reply
        .status(201)
        .header("cache-control", "no-store")
        .send({ id, signing_secret: secret, expires_at: listeningUntil.toISOString() });
    },
  );
  app.delete(
    "/api/v1/listeners/:id",
    {
      config,
      schema: {
        ...common,
        summary: "Stop listening; what was not delivered is gone",
        params: listenerParamsSchema,
        response: responses(200, listenerDeletedSchema),
      },
    },
    async (request) => {
      const { id } = request.params;
      const actor = keyOf(request);
      await stopListening({ id, orgId: actor.orgId }, { actor, client: clientOf(request) }, deps);
      return { id, deleted: true as const };
    },
  );
}

function deliveryRoutes(app: Api, deps: ListenerDeps): void {
  app.post(
    "/api/v1/listeners/:id/claim",
    {
      config,
      schema: {
        ...common,
        summary: "Take what is due, for 60 seconds, or wait for it",
        params: listenerParamsSchema,
        querystring: claimQuerySchema,
        response: responses(200, claimedSchema),
      },
    },
    async (request, reply) => {
      const listener = { id: request.params.id, orgId: keyOf(request).orgId };
      const waitMs = request.query.wait * 1_000;
      const recheckAccess = async (): Promise<unknown> => request.recheckAccess?.();
      const claimed = await claim(listener, { waitMs, signal: untilClosed(reply), recheckAccess }, deps);
      // Otherwise a connection that was busy when the server began to close would stay open.
      if (deps.waits.isClosing) reply.header("connection", "close");
      return claimed;
    },
  );
  app.post(
    "/api/v1/listeners/:id/deliveries/:deliveryId",
    {
      config,
      schema: {
        ...common,
        summary: "Report what the local receiver answered",
        params: reportParamsSchema,
        body: reportSchema,
        response: responses(200, reportedSchema),
      },
    },
    async (request) => {
      const { id, deliveryId } = request.params;
      const listener = { id, orgId: keyOf(request).orgId };
      return report(listener, { deliveryId, result: request.body }, deps);
    },
  );
}

/** Aborts when the client disconnects before its response. */
function untilClosed({ raw }: FastifyReply): AbortSignal {
  const closing = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) closing.abort();
  });
  return closing.signal;
}
