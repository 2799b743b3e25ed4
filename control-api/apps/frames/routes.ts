import { appParamsSchema, frameResponseSchema, openFrameSchema } from "@parley/shared/contracts/apps.ts";
import { APPS_READ } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { AppParts } from "../deps.ts";
import type { FrameTokens } from "./frame-token.ts";
import { openFrame } from "./open-frame.ts";

/** `/api/orgs/{orgId}/apps/{appId}/frames`: opens a page of an app. */
export function frameRoutes(
  app: Api,
  { database, tokens }: AppParts & { readonly tokens: FrameTokens },
): void {
  app.post(
    "/api/orgs/:orgId/apps/:appId/frames",
    {
      config: { access: APPS_READ },
      schema: {
        tags: ["apps"],
        security: USER_SECURITY,
        summary: "Open a frame for a page of an app: what it begins with, and the token for its host",
        params: appParamsSchema,
        body: openFrameSchema,
        response: responses(201, frameResponseSchema),
      },
    },
    async (request, reply) => {
      const page = { appId: request.params.appId, ...request.body };
      const frame = await openFrame(page, memberOf(request), { db: database.db, tokens });
      return reply.status(201).header("cache-control", "no-store").send(success(frame));
    },
  );
}
