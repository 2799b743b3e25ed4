import {
  addKnowledgeDocumentSchema,
  DOCUMENT_MAX_BYTES,
  DOCUMENT_TYPES,
  knowledgeBaseParamsSchema,
  knowledgeDocumentDeletedResponseSchema,
  knowledgeDocumentParamsSchema,
  knowledgeDocumentResponseSchema,
  knowledgeDocumentsQuerySchema,
  knowledgeDocumentsResponseSchema,
  uploadKnowledgeDocumentQuerySchema,
} from "@parley/shared/contracts/knowledge.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { KNOWLEDGE_READ, KNOWLEDGE_WRITE } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { findBase } from "../bases/store.ts";
import type { KnowledgeDeps } from "../deps.ts";
import { formatOf } from "../reading/fetch-page.ts";
import { addDocument, deleteDocument, refreshDocument, uploadDocument } from "./documents.ts";
import { findDocument, listDocuments } from "./store.ts";

const DOCUMENTS = "/api/orgs/:orgId/knowledge-bases/:baseId/documents";
const DOCUMENT = `${DOCUMENTS}/:documentId`;
const common = { tags: ["knowledge"], security: KEY_OR_USER_SECURITY };

/** The documents of a knowledge base. */
export async function knowledgeDocumentRoutes(app: Api, deps: KnowledgeDeps): Promise<void> {
  readRoutes(app, deps);
  addRoute(app, deps);
  await uploadRoute(app, deps);
  changeRoutes(app, deps);
}

function readRoutes(app: Api, { database }: KnowledgeDeps): void {
  const config = { access: KNOWLEDGE_READ };
  app.get(
    DOCUMENTS,
    {
      config,
      schema: {
        ...common,
        summary: "List the documents of a knowledge base, newest first",
        params: knowledgeBaseParamsSchema,
        querystring: knowledgeDocumentsQuerySchema,
        response: responses(200, knowledgeDocumentsResponseSchema),
      },
    },
    async (request) => {
      const base = baseOf(request, request.params.baseId);
      await findBase(database.reads, base.orgId, base.baseId);
      const { limit } = request.query;
      const documents = await listDocuments(database.reads.db, base, request.query);
      const isFull = documents.length === limit;
      return success({ documents, nextBefore: isFull ? (documents.at(-1)?.id ?? null) : null });
    },
  );
  app.get(
    DOCUMENT,
    {
      config,
      schema: {
        ...common,
        summary: "Read the state of a document",
        params: knowledgeDocumentParamsSchema,
        response: responses(200, knowledgeDocumentResponseSchema),
      },
    },
    async (request) => {
      const { baseId, documentId } = request.params;
      return success(await findDocument(database.reads.db, baseOf(request, baseId), documentId));
    },
  );
}

function addRoute(app: Api, deps: KnowledgeDeps): void {
  app.post(
    DOCUMENTS,
    {
      config: { access: KNOWLEDGE_WRITE },
      schema: {
        ...common,
        summary: "Add a text, or a page by its address; it is read beside the request",
        params: knowledgeBaseParamsSchema,
        body: addKnowledgeDocumentSchema,
        response: responses(201, knowledgeDocumentResponseSchema),
      },
    },
    async (request, reply) => {
      const document = await addDocument(baseOf(request, request.params.baseId), request.body, deps);
      return reply.status(201).send(success(document));
    },
  );
}

async function uploadRoute(app: Api, deps: KnowledgeDeps): Promise<void> {
  const types = Object.keys(DOCUMENT_TYPES);
  await app.register((scope: Api, _options, done) => {
    scope.removeContentTypeParser(types);
    scope.addContentTypeParser(types, { parseAs: "buffer", bodyLimit: DOCUMENT_MAX_BYTES }, (_, body, next) =>
      next(null, body),
    );
    scope.post(
      `${DOCUMENTS}/upload`,
      {
        config: { access: KNOWLEDGE_WRITE },
        bodyLimit: DOCUMENT_MAX_BYTES,
        schema: {
          ...common,
          summary: "Upload a document: the file as the body, with its Content-Type",
          consumes: types,
          params: knowledgeBaseParamsSchema,
          querystring: uploadKnowledgeDocumentQuerySchema,
          response: responses(201, knowledgeDocumentResponseSchema),
        },
      },
      async (request, reply) => {
        const bytes: unknown = request.body;
        const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
        const format = formatOf(type);
        if (format === undefined || !Buffer.isBuffer(bytes)) throw wrongType(types);
        const file = { name: request.query.name, format, bytes };
        const document = await uploadDocument(baseOf(request, request.params.baseId), file, deps);
        return reply.status(201).send(success(document));
      },
    );
    done();
  });
}

function changeRoutes(app: Api, deps: KnowledgeDeps): void {
  const config = { access: KNOWLEDGE_WRITE };
  app.post(
    `${DOCUMENT}/refresh`,
    {
      config,
      schema: {
        ...common,
        summary: "Read a page again, as it is now; what it had is found until that is done",
        params: knowledgeDocumentParamsSchema,
        response: responses(200, knowledgeDocumentResponseSchema),
      },
    },
    async (request) => {
      const { baseId, documentId } = request.params;
      return success(await refreshDocument(baseOf(request, baseId), documentId, deps));
    },
  );
  app.delete(
    DOCUMENT,
    {
      config,
      schema: {
        ...common,
        summary: "Delete a document; nothing of it is found any more",
        params: knowledgeDocumentParamsSchema,
        response: responses(200, knowledgeDocumentDeletedResponseSchema),
      },
    },
    async (request) => {
      const { baseId, documentId } = request.params;
      await deleteDocument(baseOf(request, baseId), documentId, deps);
      return success({ id: documentId });
    },
  );
}

function baseOf(request: FastifyRequest, baseId: string): { orgId: string; baseId: string } {
  return { orgId: actorOf(request).orgId, baseId };
}

function wrongType(types: readonly string[]): AppError {
  const message = `Send the file itself as the body, with one of these as Content-Type: ${types.join(", ")}.`;
  return new AppError("unsupported_media_type", message);
}
