import type { Clock } from "@parley/shared/clock.ts";
import {
  addMemorySchema,
  correctMemorySchema,
  forgetPersonQuerySchema,
  memoriesQuerySchema,
  memoriesResponseSchema,
  memoryDeletedResponseSchema,
  memoryParamsSchema,
  memoryResponseSchema,
  personForgottenResponseSchema,
} from "@parley/shared/contracts/memory.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import type { FastifyRequest } from "fastify";
import type { Databases } from "../../database/open.ts";
import { MEMORY_WRITES, ORG_READS } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import type { Reads } from "../../http/reads.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import { addNote } from "./add-note.ts";
import { correctMemory, deleteMemory, findMemory, forgetPerson, listMemories } from "./store.ts";

export interface MemoryRoutesDeps {
  readonly database: Databases;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly reads: Pick<Reads, "run">;
}

const MEMORIES = "/api/orgs/:orgId/memory";
const MEMORY = `${MEMORIES}/:memoryId`;
const common = { tags: ["memory"], security: USER_SECURITY };

/** `/api/orgs/{orgId}/memory`: people see, correct and delete what agents remember of others. */
export function memoryRoutes(app: Api, deps: MemoryRoutesDeps): void {
  listRoute(app, deps);
  writeRoutes(app, deps);
  forgetRoutes(app, deps);
}

function listRoute(app: Api, { reads, clock }: MemoryRoutesDeps): void {
  app.get(
    MEMORIES,
    {
      config: { access: ORG_READS },
      schema: {
        ...common,
        summary: "List what agents remember of people, newest first",
        params: orgParamsSchema,
        querystring: memoriesQuerySchema,
        response: responses(200, memoriesResponseSchema),
      },
    },
    async (request) => {
      const member = memberOf(request);
      const filter = { ...request.query, orgId: member.orgId, now: new Date(clock.wallMs()) };
      const memories = await reads.run(member, ({ db }) => listMemories(db, filter));
      const isFull = memories.length === filter.limit;
      return success({ memories, nextBefore: isFull ? (memories.at(-1)?.id ?? null) : null });
    },
  );
}

function writeRoutes(app: Api, deps: MemoryRoutesDeps): void {
  const config = { access: MEMORY_WRITES };
  const { database, clock } = deps;
  app.post(
    MEMORIES,
    {
      config,
      schema: {
        ...common,
        summary: "Have an agent remember something of a person",
        params: orgParamsSchema,
        body: addMemorySchema,
        response: responses(201, memoryResponseSchema),
      },
    },
    async (request, reply) => {
      const { orgId } = memberOf(request);
      const added = await addNote(database, { ...request.body, orgId, at: new Date(clock.wallMs()) });
      return reply.status(201).send(success(added));
    },
  );
  app.patch(
    MEMORY,
    {
      config,
      schema: {
        ...common,
        summary: "Correct what is remembered; later calls leave it as it is",
        params: memoryParamsSchema,
        body: correctMemorySchema,
        response: responses(200, memoryResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = memberOf(request);
      const at = new Date(clock.wallMs());
      const corrected = { orgId, id: request.params.memoryId, at };
      const memory = await correctMemory(database.db, corrected, request.body.text);
      await note(request, deps, "memory.corrected", memory);
      return success(memory);
    },
  );
}

function forgetRoutes(app: Api, deps: MemoryRoutesDeps): void {
  const config = { access: MEMORY_WRITES };
  const { database } = deps;
  app.delete(
    MEMORY,
    {
      config,
      schema: {
        ...common,
        summary: "Delete something that is remembered",
        params: memoryParamsSchema,
        response: responses(200, memoryDeletedResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = memberOf(request);
      const memory = await findMemory(database.db, orgId, request.params.memoryId);
      await deleteMemory(database.db, orgId, memory.id);
      await note(request, deps, "memory.deleted", memory);
      return success({ id: memory.id });
    },
  );
  app.delete(
    MEMORIES,
    {
      config,
      schema: {
        ...common,
        summary: "Forget a person: all that agents remember of them, or one agent does",
        params: orgParamsSchema,
        querystring: forgetPersonQuerySchema,
        response: responses(200, personForgottenResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = memberOf(request);
      const deleted = await forgetPerson(database.db, { ...request.query, orgId });
      await note(request, deps, "memory.forgotten", { deleted });
      return success({ deleted });
    },
  );
}

/** Audits which memory was touched, never its text. */
async function note(
  request: FastifyRequest,
  { audit }: MemoryRoutesDeps,
  action: "memory.corrected" | "memory.deleted" | "memory.forgotten",
  of: { readonly id: string; readonly agentId: string } | { readonly deleted: number },
): Promise<void> {
  const { orgId, userId } = memberOf(request);
  const details = "id" in of ? { id: of.id, agentId: of.agentId } : { deleted: of.deleted };
  await audit.write({
    action,
    orgId,
    actor: { kind: "user", id: userId },
    client: clientOf(request),
    details,
  });
}
