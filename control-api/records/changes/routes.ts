import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import type { Logger } from "@parley/shared/log.ts";
import { ORG_READS } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { type Api, USER_SECURITY } from "../../http/routes.ts";
import { ChangeStreams } from "./change-streams.ts";

interface ChangeRoutesDeps {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
}

/** `/api/orgs/{orgId}/changes`: tells open pages what to refetch. */
export function changeRoutes(app: Api, deps: ChangeRoutesDeps): void {
  const streams = new ChangeStreams(deps);
  app.addHook("preClose", () => streams.stop());
  app.get(
    "/api/orgs/:orgId/changes",
    {
      config: { access: ORG_READS },
      schema: {
        tags: ["calls"],
        security: USER_SECURITY,
        summary:
          "Hear what changed in the organization: server-sent events changed, with topics to ask for again",
        params: orgParamsSchema,
        produces: ["text/event-stream"],
      },
    },
    async (request, reply) => {
      const { orgId, userId } = memberOf(request);
      const recheckAccess = async (): Promise<unknown> => request.recheckAccess?.();
      return streams.open({ orgId, userId, recheckAccess }, reply);
    },
  );
}
