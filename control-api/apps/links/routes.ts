import type { Clock } from "@parley/shared/clock.ts";
import {
  openLinkSchema,
  readLinkSchema,
  type VisitorPage,
  visitorPageResponseSchema,
  visitResponseSchema,
} from "@parley/shared/contracts/public-agents.ts";
import { AppError } from "@parley/shared/errors.ts";
import { addressBlock } from "@parley/shared/net/address-block.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { FastifyRequest } from "fastify";
import { findBySlug, type VisitedAgent } from "../../agents/public/store.ts";
import { assertCode, type BeginVisit } from "../../channels/public/begin-visit.ts";
import { assertOwnPage, pageOf } from "../../channels/public/routes.ts";
import type { Database } from "../../database/open.ts";
import { PUBLIC } from "../../http/access/rules.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { type Api, responses, success } from "../../http/routes.ts";
import { contextOf, LINK_ACTIONS } from "./context.ts";
import { findLink, giveLinkBack, type StoredLink, useLink } from "./store.ts";

export interface OpenLinkDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly beginVisit: BeginVisit;
}

interface OpenedLink {
  readonly link: StoredLink;
  readonly agent: VisitedAgent;
  readonly page: VisitorPage;
}

const common = { tags: ["public agents"], security: [] };

/** Serves the page of a link (`/l/{token}`). The token is sent in the body, as addresses end up in logs. */
export function linkRoutes(app: Api, deps: OpenLinkDeps): void {
  app.post(
    "/api/public/links/read",
    {
      config: { access: PUBLIC },
      schema: {
        ...common,
        summary: "Read what the page of a link begins with; this does not use the link",
        body: readLinkSchema,
        response: responses(200, visitorPageResponseSchema),
      },
    },
    async (request) => success((await opened(request, request.body.token, deps)).page),
  );
  app.post(
    "/api/public/links/sessions",
    {
      config: { access: PUBLIC },
      schema: {
        ...common,
        summary: "Begin the conversation of a link, as its page does",
        body: openLinkSchema,
        response: responses(200, visitResponseSchema),
      },
    },
    async (request) => {
      assertOwnPage(request);
      const { token, ...wanted } = request.body;
      const { link, agent, page } = await opened(request, token, deps);
      if (!page.modes.includes(wanted.mode))
        throw new AppError("bad_request", `This link does not lead to a ${wanted.mode}.`);
      const visitor = { ip: request.ip };
      const asked = { hash: link.code_hash, opens: link.id };
      await assertCode(wanted.code, asked, { visitor, limits: deps.limits });
      const { db } = deps.database;
      const use = () => useLink(db, link.id, new Date(deps.clock.wallMs()));
      // Used before the conversation begins: if two people open the link at once, one gets in.
      if (link.single_use && !(await use())) throw isOver();
      const { variables } = contextOf(link.context);
      const visit = await deps
        .beginVisit(agent, { ...wanted, variables }, visitor)
        .catch(async (error: unknown) => {
          if (link.single_use) await giveLinkBack(db, link.id);
          throw error;
        });
      // A link for several is noted as used afterwards: an opening that fails must not take back the use of another.
      if (!link.single_use) await use();
      return success(visit);
    },
  );
}

/** Throws `AppError` not_found, gone, too_many_requests. */
async function opened(
  request: FastifyRequest,
  token: string,
  { database: { db }, clock, limits }: OpenLinkDeps,
): Promise<OpenedLink> {
  await limits.take("links_per_address", addressBlock(request.ip));
  const link = await findLink(db, sha256Hex(token));
  if (!link) throw new AppError("not_found", "There is no such link.");
  const isUsed = link.single_use && link.used_at !== null;
  if (isUsed || link.revoked_at !== null || link.expires_at.getTime() <= clock.wallMs()) throw isOver();
  const agent = await findBySlug(db, contextOf(link.context).slug ?? "");
  if (agent?.org_id !== link.org_id) throw isOver();
  const page = pageOf(agent);
  const modes = page.modes.filter((mode) => LINK_ACTIONS[link.action]?.includes(mode));
  // A link is an invitation: its holder does not need the code that strangers are asked for.
  return { link, agent, page: { ...page, modes, needsCode: link.code_hash !== null } };
}

function isOver(): AppError {
  return new AppError(
    "gone",
    "This link is no longer valid: it was used, was revoked or has expired. Ask for a new one.",
  );
}
