import { Readable } from "node:stream";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import {
  type DataSubject,
  erasePersonalDataSchema,
  personalDataErasedResponseSchema,
  personalDataQuerySchema,
  personalDataResponseSchema,
} from "@parley/shared/contracts/personal-data.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { PII_MANAGES } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import type { Reads } from "../../http/reads.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { whileAllowed } from "../../http/while-allowed.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import type { KnownPeople, PersonalData } from "../../modules/module.ts";
import { type ErasePersonDeps, erasePerson, forgetKnown } from "./erase-person.ts";
import { exportPeople, rowsOf } from "./export.ts";
import { type KnownRows, personOf, readKnown } from "./known.ts";
import { type SubjectSession, sessionsOf } from "./subject.ts";

export interface PeopleDeps extends ErasePersonDeps {
  readonly reads: Reads;
  readonly audit: Audit;
  /** Of all districts. */
  readonly kinds: () => readonly PersonalData[];
  readonly known: () => readonly KnownPeople[];
}

const PATH = "/api/orgs/:orgId/personal-data";
const config = { access: PII_MANAGES };
const common = { tags: ["calls"], security: USER_SECURITY, params: orgParamsSchema };

/** `/api/orgs/{orgId}/personal-data`: data about a person, which owners and admins view, export and erase. */
export function peopleRoutes(app: Api, deps: PeopleDeps): void {
  listRoute(app, deps);
  exportRoute(app, deps);
  eraseRoute(app, deps);
}

function listRoute(app: Api, deps: PeopleDeps): void {
  app.get(
    PATH,
    {
      config,
      schema: {
        ...common,
        summary: "Count what is kept of a person, or of a call, by kind",
        querystring: personalDataQuerySchema,
        response: responses(200, personalDataResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = memberOf(request);
      const { sessions, known } = await found(request, request.query, deps);
      const sessionIds = sessions.map(({ sessionId }) => sessionId);
      const kinds = known.map(({ name, rows }) => ({ name, count: rows.length }));
      for (const kind of deps.kinds()) {
        let count = 0;
        for await (const _row of rowsOf(kind, { orgId, sessionIds }, deps.database)) count += 1;
        if (count > 0) kinds.push({ name: kind.name, count });
      }
      return success({ sessions: sessions.length, open: openIn(sessions), kinds });
    },
  );
}

function exportRoute(app: Api, deps: PeopleDeps): void {
  app.get(
    `${PATH}/export`,
    {
      config,
      schema: {
        ...common,
        summary: "Download what is kept of a person, or of a call: a zip of JSON files and recordings",
        querystring: personalDataQuerySchema,
        produces: ["application/zip"],
      },
    },
    async (request, reply) => {
      const { orgId } = memberOf(request);
      const { sessions, known } = await found(request, request.query, deps);
      await note("personal_data.exported", request, { ...request.query, sessions: sessions.length }, deps);
      const sessionIds = sessions.map(({ sessionId }) => sessionId);
      const zip = exportPeople({ orgId, sessionIds, known }, { ...deps, kinds: deps.kinds() });
      reply.header("content-type", "application/zip");
      reply.header("content-disposition", 'attachment; filename="personal-data.zip"');
      reply.header("cache-control", "no-store");
      const recheck = async (): Promise<unknown> => request.recheckAccess?.();
      return reply.send(Readable.from(whileAllowed(zip, recheck, deps.clock)));
    },
  );
}

function eraseRoute(app: Api, deps: PeopleDeps): void {
  app.post(
    `${PATH}/erase`,
    {
      config,
      schema: {
        ...common,
        summary: "Erase what was said with a person, or in a call, and who they were",
        body: erasePersonalDataSchema,
        response: responses(200, personalDataErasedResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = memberOf(request);
      const { sessions } = await found(request, request.body, deps);
      // First, so that long-running work does not find the person on a list again.
      const person = personOf(orgId, request.body);
      const { gone, inUse } = person
        ? await forgetKnown(person, { database: deps.database, known: deps.known() })
        : { gone: 0, inUse: 0 };
      // Noted separately: what follows may fail.
      if (gone > 0) await note("personal_data.erased", request, { entries: gone }, deps);
      const erased = await erasePerson({ orgId, sessions }, deps);
      // Omits the identifier, which was to be forgotten.
      await note("personal_data.erased", request, { sessions: erased }, deps);
      return success({ erased, entries: gone, open: openIn(sessions) + inUse });
    },
  );
}

/** Throws `AppError` not_found if nothing is kept about the person. */
async function found(
  request: FastifyRequest,
  subject: DataSubject,
  { reads, known }: PeopleDeps,
): Promise<{ sessions: SubjectSession[]; known: KnownRows[] }> {
  const who = memberOf(request);
  const person = personOf(who.orgId, subject);
  const kept = await reads.runOnPrimary(who, async ({ db }) => ({
    sessions: await sessionsOf(db, who.orgId, subject),
    known: await readKnown(db, person, known()),
  }));
  if (kept.sessions.length === 0 && kept.known.length === 0)
    throw new AppError("not_found", "There are no calls or chats with this person, and they are on no list.");
  return kept;
}

function openIn(sessions: readonly SubjectSession[]): number {
  return sessions.filter(({ isOpen }) => isOpen).length;
}

function note(
  action: string,
  request: FastifyRequest,
  details: Record<string, unknown>,
  { audit }: PeopleDeps,
): Promise<void> {
  const { orgId, userId } = memberOf(request);
  return audit.write({
    action,
    orgId,
    actor: { kind: "user", id: userId },
    client: clientOf(request),
    details,
  });
}
