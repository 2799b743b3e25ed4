import {
  createKnowledgeBaseSchema,
  knowledgeBaseDeletedResponseSchema,
  knowledgeBaseParamsSchema,
  knowledgeBaseResponseSchema,
  knowledgeBasesResponseSchema,
  knowledgeSearchQuerySchema,
  knowledgeSearchResponseSchema,
  updateKnowledgeBaseSchema,
} from "@parley/shared/contracts/knowledge.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { KNOWLEDGE_READ, KNOWLEDGE_WRITE } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import type { KnowledgeDeps } from "../deps.ts";
import { meaningOf } from "../vectors/meaning-of.ts";
import { removeBase } from "./remove.ts";
import { createBase, findBase, listBases, updateBase } from "./store.ts";

const BASES = "/api/orgs/:orgId/knowledge-bases";
const BASE = `${BASES}/:baseId`;
const common = { tags: ["knowledge"], security: KEY_OR_USER_SECURITY };

/** `/api/orgs/{orgId}/knowledge-bases`: the documents that agents search. */
export function knowledgeBaseRoutes(app: Api, deps: KnowledgeDeps): void {
  readRoutes(app, deps);
  searchRoute(app, deps);
  writeRoutes(app, deps);
}

function readRoutes(app: Api, { database, vectors }: KnowledgeDeps): void {
  const config = { access: KNOWLEDGE_READ };
  app.get(
    BASES,
    {
      config,
      schema: {
        ...common,
        summary: "List knowledge bases, oldest first",
        params: orgParamsSchema,
        response: responses(200, knowledgeBasesResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      const knowledgeBases = await listBases(database.reads, orgId);
      const meaning = await meaningOf(database.reads, orgId, vectors);
      return success({ knowledgeBases, total: knowledgeBases.length, meaning });
    },
  );
  app.get(
    BASE,
    {
      config,
      schema: {
        ...common,
        summary: "Read a knowledge base",
        params: knowledgeBaseParamsSchema,
        response: responses(200, knowledgeBaseResponseSchema),
      },
    },
    async (request) => success(await findBase(database.reads, actorOf(request).orgId, request.params.baseId)),
  );
}

function searchRoute(app: Api, { database, reads, search }: KnowledgeDeps): void {
  app.get(
    `${BASE}/search`,
    {
      config: { access: KNOWLEDGE_READ },
      schema: {
        ...common,
        summary: "Find the passages that an agent would get for a question",
        params: knowledgeBaseParamsSchema,
        querystring: knowledgeSearchQuerySchema,
        response: responses(200, knowledgeSearchResponseSchema),
      },
    },
    async (request) => {
      const who = actorOf(request);
      const { baseId } = request.params;
      await findBase(database.reads, who.orgId, baseId);
      const { query: text, limit } = request.query;
      const query = { orgId: who.orgId, baseIds: [baseId], text, limit };
      return success({ passages: await reads.run(who, (own) => search(own, query)) });
    },
  );
}

function writeRoutes(app: Api, { database, clock }: KnowledgeDeps): void {
  const config = { access: KNOWLEDGE_WRITE };
  app.post(
    BASES,
    {
      config,
      schema: {
        ...common,
        summary: "Create a knowledge base; its language cannot be changed later",
        params: orgParamsSchema,
        body: createKnowledgeBaseSchema,
        response: responses(201, knowledgeBaseResponseSchema),
      },
    },
    async (request, reply) => {
      const { orgId } = actorOf(request);
      const base = await createBase(database, { ...request.body, orgId, at: new Date(clock.wallMs()) });
      return reply.status(201).send(success(base));
    },
  );
  app.patch(
    BASE,
    {
      config,
      schema: {
        ...common,
        summary: "Rename a knowledge base, or describe it anew",
        params: knowledgeBaseParamsSchema,
        body: updateKnowledgeBaseSchema,
        response: responses(200, knowledgeBaseResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      const id = request.params.baseId;
      await updateBase(database, { orgId, id, at: new Date(clock.wallMs()) }, request.body);
      return success(await findBase(database, orgId, id));
    },
  );
  app.delete(
    BASE,
    {
      config,
      schema: {
        ...common,
        summary: "Delete a knowledge base with all its documents; refused while agents use it",
        params: knowledgeBaseParamsSchema,
        response: responses(200, knowledgeBaseDeletedResponseSchema),
      },
    },
    async (request) => {
      const id = request.params.baseId;
      await removeBase(database, actorOf(request).orgId, id);
      return success({ id });
    },
  );
}
