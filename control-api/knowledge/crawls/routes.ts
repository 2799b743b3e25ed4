import {
  createKnowledgeCrawlSchema,
  knowledgeBaseParamsSchema,
  knowledgeCrawlDeletedResponseSchema,
  knowledgeCrawlParamsSchema,
  knowledgeCrawlResponseSchema,
  knowledgeCrawlsResponseSchema,
} from "@parley/shared/contracts/knowledge.ts";
import type { FastifyRequest } from "fastify";
import { KNOWLEDGE_READ, KNOWLEDGE_WRITE } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { findBase } from "../bases/store.ts";
import type { KnowledgeDeps } from "../deps.ts";
import { deleteCrawl, refreshCrawl, startCrawl } from "./crawls.ts";
import { findCrawl, listCrawls } from "./store.ts";

const CRAWLS = "/api/orgs/:orgId/knowledge-bases/:baseId/crawls";
const CRAWL = `${CRAWLS}/:crawlId`;
const common = { tags: ["knowledge"], security: KEY_OR_USER_SECURITY };

/** The crawled sites of a knowledge base. */
export function knowledgeCrawlRoutes(app: Api, deps: KnowledgeDeps): void {
  readRoutes(app, deps);
  startRoute(app, deps);
  changeRoutes(app, deps);
}

function readRoutes(app: Api, { database }: KnowledgeDeps): void {
  const config = { access: KNOWLEDGE_READ };
  app.get(
    CRAWLS,
    {
      config,
      schema: {
        ...common,
        summary: "List the sites whose pages are read into a knowledge base, oldest first",
        params: knowledgeBaseParamsSchema,
        response: responses(200, knowledgeCrawlsResponseSchema),
      },
    },
    async (request) => {
      const base = baseOf(request, request.params.baseId);
      await findBase(database.reads, base.orgId, base.baseId);
      const crawls = await listCrawls(database.reads.db, base);
      return success({ crawls, total: crawls.length });
    },
  );
  app.get(
    CRAWL,
    {
      config,
      schema: {
        ...common,
        summary: "Read how far the reading of a site is",
        params: knowledgeCrawlParamsSchema,
        response: responses(200, knowledgeCrawlResponseSchema),
      },
    },
    async (request) => {
      const { baseId, crawlId } = request.params;
      return success(await findCrawl(database.reads.db, baseOf(request, baseId), crawlId));
    },
  );
}

function startRoute(app: Api, deps: KnowledgeDeps): void {
  app.post(
    CRAWLS,
    {
      config: { access: KNOWLEDGE_WRITE },
      schema: {
        ...common,
        summary: "Read the pages of a site, from one page by its links, as robots.txt allows",
        params: knowledgeBaseParamsSchema,
        body: createKnowledgeCrawlSchema,
        response: responses(201, knowledgeCrawlResponseSchema),
      },
    },
    async (request, reply) => {
      const crawl = await startCrawl(baseOf(request, request.params.baseId), request.body, deps);
      return reply.status(201).send(success(crawl));
    },
  );
}

function changeRoutes(app: Api, deps: KnowledgeDeps): void {
  const config = { access: KNOWLEDGE_WRITE };
  app.post(
    `${CRAWL}/refresh`,
    {
      config,
      schema: {
        ...common,
        summary: "Read the pages of a site again, and those that they lead to now",
        params: knowledgeCrawlParamsSchema,
        response: responses(200, knowledgeCrawlResponseSchema),
      },
    },
    async (request) => {
      const { baseId, crawlId } = request.params;
      return success(await refreshCrawl(baseOf(request, baseId), crawlId, deps));
    },
  );
  app.delete(
    CRAWL,
    {
      config,
      schema: {
        ...common,
        summary: "Delete a site with all its pages; nothing of them is found any more",
        params: knowledgeCrawlParamsSchema,
        response: responses(200, knowledgeCrawlDeletedResponseSchema),
      },
    },
    async (request) => {
      const { baseId, crawlId } = request.params;
      await deleteCrawl(baseOf(request, baseId), crawlId, deps);
      return success({ id: crawlId });
    },
  );
}

function baseOf(request: FastifyRequest, baseId: string): { orgId: string; baseId: string } {
  return { orgId: actorOf(request).orgId, baseId };
}
