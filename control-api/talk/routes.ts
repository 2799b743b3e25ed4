import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { talkSessionSchema } from "@parley/shared/contracts/sessions.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { PUBLIC } from "../access/rules.ts";
import { type Api, responses } from "../routes.ts";
import { initWebCall, type SessionDeps } from "../sessions/init-web-call.ts";
import { AddressLimit } from "./rate-limit.ts";

export interface TalkDeps extends SessionDeps {
  /** Where the built pages are. */
  readonly pagesDir: string;
  /** The demo workspace's agent; undefined: no demo here, `/talk` asks for a websocket address. */
  readonly demo: (() => { orgId: string; userId: string; agentId: string } | undefined) | undefined;
}

const HIDDEN = { hide: true } as const;
/** The page runs its own files only; it connects to whichever gateway its session is on. */
const PAGE_POLICY =
  "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data:; style-src 'self' 'unsafe-inline'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page to talk on, and in the demo workspace a session for it without a key. */
export async function talkRoutes(app: Api, deps: TalkDeps): Promise<void> {
  const options = { config: { access: PUBLIC }, schema: HIDDEN };
  app.get("/", options, async (_request, reply) => reply.redirect("/talk"));
  app.get("/talk", options, async (_request, reply) => {
    if (!existsSync(join(deps.pagesDir, "talk.html"))) {
      throw new AppError("not_found", "The page was not built; run npm run build.");
    }
    return reply.header("content-security-policy", PAGE_POLICY).sendFile("talk.html", deps.pagesDir);
  });
  await app.register(fastifyStatic, {
    root: join(deps.pagesDir, "assets"),
    prefix: "/assets/",
    immutable: true,
    maxAge: "30d",
  });
  demoSession(app, deps);
}

function demoSession(app: Api, deps: TalkDeps): void {
  const limit = new AddressLimit(deps.clock);
  app.post(
    "/talk/session",
    { config: { access: PUBLIC }, schema: { hide: true, response: responses(200, talkSessionSchema) } },
    async (request) => {
      const demo = deps.demo?.();
      if (!demo) {
        throw new AppError(
          "not_found",
          "There is no demo here; create a session with POST /api/sessions/init-web-call.",
        );
      }
      assertSameSite(request);
      const waitSecs = limit.take(request.ip);
      if (waitSecs !== undefined) {
        throw new AppError("too_many_requests", `Too many calls from this address; wait ${waitSecs} s.`, {
          retryAfterSecs: waitSecs,
        });
      }
      const { orgId, userId, agentId } = demo;
      return initWebCall({ agentId, variables: {} }, { orgId, userId }, deps);
    },
  );
}

/** Another site's page must not start calls in its visitors' names. */
function assertSameSite(request: FastifyRequest): void {
  const site = request.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return;
  throw new AppError("forbidden", "Demo sessions can be started from this site's own page only.");
}
