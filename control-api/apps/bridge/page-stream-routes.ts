import { responseSchema } from "@parley/platform/wire/messages.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { appParamsSchema } from "@parley/shared/contracts/apps.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { APPS_READ } from "../../http/access/rules.ts";
import { goneSignal } from "../../http/gone-signal.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, USER_SECURITY } from "../../http/routes.ts";
import { frameTokenOf, idIn } from "./arrived-call.ts";
import type { OpenedBy } from "./page-stream.ts";
import { type PageStreams, relay } from "./page-streams.ts";

const BODY_BYTES = 64 * 1_024;
const streamParamsSchema = appParamsSchema.extend({ streamId: z.string().min(1).max(64) });
const common = { tags: ["apps"], security: USER_SECURITY };

export interface PageStreamRouteDeps {
  readonly pageStreams: PageStreams;
  readonly bus: Pick<Bus, "channels">;
  readonly clock: Clock;
}

/** One stream for all subscriptions of a page: it is opened in an organization, and filled for each app. */
export function pageStreamRoutes(app: Api, deps: PageStreamRouteDeps): void {
  openRoute(app, deps);
  fillRoute(app, deps);
}

function openRoute(app: Api, { pageStreams }: PageStreamRouteDeps): void {
  app.post(
    "/api/orgs/:orgId/app-streams",
    {
      config: { access: APPS_READ },
      schema: {
        ...common,
        summary:
          "Open a stream for all subscriptions of a page: server-sent events, the first of which names it",
        params: orgParamsSchema,
        produces: ["text/event-stream"],
      },
    },
    async (request, reply) => pageStreams.open(openedBy(request, reply), reply),
  );
}

function fillRoute(app: Api, { bus, clock }: PageStreamRouteDeps): void {
  app.post(
    "/api/orgs/:orgId/apps/:appId/bridge/streams/:streamId",
    {
      config: { access: APPS_READ },
      bodyLimit: BODY_BYTES,
      schema: {
        ...common,
        summary:
          "Put a subscription of a frame into a page's stream, under the id of its request, or take it out",
        params: streamParamsSchema,
        response: responses(200, responseSchema),
      },
    },
    async (request, reply) => {
      const { orgId, userId } = memberOf(request);
      const { appId, streamId } = request.params;
      const { body } = request;
      const id = idIn(body);
      const token = frameTokenOf(request);
      const relayed = { id, streamId, orgId, userId, appId, token, body };
      return reply.send(await relay(relayed, { ...bus, clock }));
    },
  );
}

function openedBy(request: FastifyRequest, reply: FastifyReply): OpenedBy {
  return {
    member: memberOf(request),
    client: clientOf(request),
    signal: goneSignal(reply),
    requestId: request.id,
    recheckAccess: async () => {
      const principal = await request.recheckAccess?.();
      if (principal?.kind === "member") return principal;
      throw new AppError("forbidden", "The member may no longer listen.");
    },
  };
}
