import {
  beginVisitSchema,
  publicSettingsSchema,
  slugParamsSchema,
  type VisitorPage,
  visitorPageResponseSchema,
  visitResponseSchema,
} from "@parley/shared/contracts/public-agents.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { findBySlug, type VisitedAgent } from "../../agents/public/store.ts";
import { PUBLIC } from "../../http/access/rules.ts";
import { type Api, responses, success } from "../../http/routes.ts";
import { assertCode, beginVisit, type VisitDeps } from "./begin-visit.ts";

const common = { tags: ["public agents"], security: [] };

/** `/api/public/agents/{slug}`: unauthenticated API of a public agent's page. */
export function visitRoutes(app: Api, deps: VisitDeps): void {
  app.get(
    "/api/public/agents/:slug",
    {
      config: { access: PUBLIC },
      schema: {
        ...common,
        summary: "Read what the page of a public agent begins with",
        params: slugParamsSchema,
        response: responses(200, visitorPageResponseSchema),
      },
    },
    async (request) => success(pageOf(await publicAgent(request.params.slug, deps))),
  );
  app.post(
    "/api/public/agents/:slug/sessions",
    {
      config: { access: PUBLIC },
      schema: {
        ...common,
        summary: "Begin a visitor's conversation with a public agent, as its page does",
        params: slugParamsSchema,
        body: beginVisitSchema,
        response: responses(200, visitResponseSchema),
      },
    },
    async (request) => {
      assertOwnPage(request);
      const agent = await publicAgent(request.params.slug, deps);
      const visitor = { ip: request.ip };
      const asked = { hash: agent.code_hash, opens: agent.agent_id };
      await assertCode(request.body.code, asked, { visitor, limits: deps.limits });
      return success(await beginVisit(agent, request.body, visitor, deps));
    },
  );
}

/** Throws `AppError` not_found for missing and private agents alike, so that strangers learn neither. */
async function publicAgent(slug: string, { database }: Pick<VisitDeps, "database">): Promise<VisitedAgent> {
  const agent = await findBySlug(database.db, slug);
  if (agent) return agent;
  throw new AppError("not_found", "There is no public agent at this address.");
}

export function pageOf(agent: VisitedAgent): VisitorPage {
  const { branding, modes, lead } = publicSettingsSchema.parse(agent.settings);
  return {
    title: branding.title ?? agent.agentName,
    greeting: branding.greeting ?? null,
    accent: branding.accent ?? null,
    modes,
    lead,
    needsCode: agent.code_hash !== null,
  };
}

/** Other sites' pages must not begin conversations on behalf of their visitors; they embed our own page. */
export function assertOwnPage(request: FastifyRequest): void {
  const site = request.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return;
  throw new AppError(
    "forbidden",
    "Conversations can only be started on the agent's own page. Embed it with its snippet.",
  );
}
