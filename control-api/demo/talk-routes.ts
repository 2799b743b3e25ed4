import { talkSessionSchema } from "@parley/shared/contracts/sessions.ts";
import { AppError } from "@parley/shared/errors.ts";
import { addressBlock } from "@parley/shared/net/address-block.ts";
import type { FastifyRequest } from "fastify";
import { initWebCall } from "../channels/sessions/init-web-call.ts";
import type { SessionDeps } from "../channels/sessions/prepare-call.ts";
import { PUBLIC } from "../http/access/rules.ts";
import { type Api, responses } from "../http/routes.ts";
import { AddressLimit } from "./address-limit.ts";

export interface TalkDeps extends SessionDeps {
  /** The demo workspace's agent; undefined: no demo here, so `/talk` asks for a websocket address. */
  readonly demo: () => { orgId: string; userId: string; agentId: string } | undefined;
}

/** Sessions for the demo workspace's talk page, without a key. */
export function talkRoutes(app: Api, deps: TalkDeps): void {
  const limit = new AddressLimit(deps.clock);
  app.post(
    "/talk/session",
    { config: { access: PUBLIC }, schema: { hide: true, response: responses(200, talkSessionSchema) } },
    async (request) => {
      const demo = deps.demo();
      if (!demo) {
        throw new AppError(
          "not_found",
          "There is no demo here; create a session with POST /api/sessions/init-web-call.",
        );
      }
      assertSameSite(request);
      const waitSecs = limit.take(addressBlock(request.ip));
      if (waitSecs !== undefined) {
        throw new AppError("too_many_requests", `Too many calls from this address; wait ${waitSecs} s.`, {
          retryAfterSecs: waitSecs,
        });
      }
      const { orgId, userId, agentId } = demo;
      return initWebCall({ agentId, variables: {} }, { orgId, userId, kind: "demo" }, deps);
    },
  );
}

/** Keeps other sites' pages from starting calls in their visitors' names. */
function assertSameSite(request: FastifyRequest): void {
  const site = request.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return;
  throw new AppError("forbidden", "Demo sessions can be started from this site's own page only.");
}
