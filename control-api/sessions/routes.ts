import {
  endedResponseSchema,
  initWebCallSchema,
  sessionParamsSchema,
  streamResponseSchema,
  webCallResponseSchema,
} from "@parley/shared/contracts/sessions.ts";
import { READ, WRITE } from "../access/rules.ts";
import { principalOf } from "../plugins/access.ts";
import { type Api, KEY_SECURITY, responses } from "../routes.ts";
import { endSession } from "./end-session.ts";
import { initWebCall, type SessionDeps } from "./init-web-call.ts";
import { openStream } from "./open-stream.ts";

/** `/api/sessions`: creating, watching and ending calls (spec 1, "Sessions"). */
export function sessionRoutes(app: Api, deps: SessionDeps): void {
  app.post(
    "/api/sessions/init-web-call",
    {
      config: { access: WRITE },
      schema: {
        tags: ["sessions"],
        summary: "Create a web-call session",
        security: KEY_SECURITY,
        body: initWebCallSchema,
        response: responses(200, webCallResponseSchema),
      },
    },
    async (request) => {
      const { sessionId, websocketUrl } = await initWebCall(request.body, principalOf(request), deps);
      return { success: true as const, data: { sessionId, websocketUrl } };
    },
  );

  app.post(
    "/api/sessions/:id/stream",
    {
      config: { access: READ },
      schema: {
        tags: ["sessions"],
        summary: "Get a socket address to watch a live call at",
        security: KEY_SECURITY,
        params: sessionParamsSchema,
        response: responses(200, streamResponseSchema),
      },
    },
    async (request) => {
      const streamUrl = await openStream(request.params.id, principalOf(request).orgId, deps);
      return { success: true as const, data: { streamUrl } };
    },
  );

  app.delete(
    "/api/sessions/:id",
    {
      config: { access: WRITE },
      schema: {
        tags: ["sessions"],
        summary: "End a live call",
        security: KEY_SECURITY,
        params: sessionParamsSchema,
        response: responses(200, endedResponseSchema),
      },
    },
    async (request) => {
      const sessionId = request.params.id;
      await endSession(sessionId, principalOf(request).orgId, deps);
      return { success: true as const, data: { sessionId, status: "ended" as const } };
    },
  );
}
