import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import {
  audioQuerySchema,
  orgRecordingParamsSchema,
  type Recording,
  recordingResponseSchema,
  recordingsQuerySchema,
  recordingsResponseSchema,
} from "@parley/shared/contracts/recordings.ts";
import { AppError } from "@parley/shared/errors.ts";
import { CONTENT_READS } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import type { Reads } from "../../http/reads.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { findListedRecording, type ListedRecording, listRecordings } from "./list-store.ts";
import type { RecordingLinks } from "./recording-links.ts";
import { RECORDING_TYPES, sendRecording } from "./send-recording.ts";
import { findRecording } from "./store.ts";
import type { StoredFiles } from "./stored-files.ts";

export interface OrgRecordingListDeps {
  readonly reads: Reads;
  readonly recordings: StoredFiles;
  readonly recordingLinks: RecordingLinks;
}

const common = { tags: ["recordings"], security: KEY_OR_USER_SECURITY };
const config = { access: CONTENT_READS };

/** `/api/orgs/{orgId}/recordings` and `/call-audio`: the list of recordings, and their audio. */
export function orgRecordingListRoutes(app: Api, deps: OrgRecordingListDeps): void {
  const { reads, recordings, recordingLinks } = deps;
  const { database } = reads;
  app.get(
    "/api/orgs/:orgId/recordings",
    {
      config,
      schema: {
        ...common,
        summary: "List recordings, newest first, each with a link that is good for an hour",
        params: orgParamsSchema,
        querystring: recordingsQuerySchema,
        response: responses(200, recordingsResponseSchema),
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const found = await reads.run(actor, (ofReads) => listRecordings(ofReads, actor.orgId, request.query));
      const isFull = found.length === request.query.limit;
      reply.header("cache-control", "no-store");
      return success({
        recordings: found.map((one) => toRecording(one, recordingLinks)),
        nextBefore: isFull ? (found.at(-1)?.id ?? null) : null,
      });
    },
  );
  app.get(
    "/api/orgs/:orgId/recordings/:id",
    {
      config,
      schema: {
        ...common,
        summary: "Read one recording, with a link that is good for an hour",
        params: orgRecordingParamsSchema,
        response: responses(200, recordingResponseSchema),
      },
    },
    async (request, reply) => {
      const found = await findListedRecording(database, actorOf(request).orgId, request.params.id);
      if (!found) throw new AppError("not_found", "There is no such recording in this organization.");
      reply.header("cache-control", "no-store");
      return success(toRecording(found, recordingLinks));
    },
  );
  app.get(
    "/api/orgs/:orgId/call-audio/:id",
    {
      config,
      schema: {
        ...common,
        summary: "Listen to a call, by its id, its session's or its recording's; ranges are served",
        params: orgRecordingParamsSchema,
        querystring: audioQuerySchema,
        produces: RECORDING_TYPES,
      },
    },
    async (request, reply) => {
      const { orgId } = actorOf(request);
      const { id } = request.params;
      const found =
        (await findRecording(database, orgId, id)) ?? (await findListedRecording(database, orgId, id));
      if (!found) throw new AppError("not_found", "The call has no recording, or none yet.");
      const { format } = request.query;
      return sendRecording({ request, reply }, { id: found.id, key: found.key, format }, recordings);
    },
  );
}

function toRecording(
  { key: _key, durationMs, sizeBytes, createdAt, ...recording }: ListedRecording,
  links: RecordingLinks,
): Recording {
  return {
    ...recording,
    // Recordings being deleted or not stored yet are not listed.
    status: "ready",
    durationSecs: durationMs / 1_000,
    sizeBytes: Number(sizeBytes),
    createdAt: createdAt.toISOString(),
    ...links.link(recording.id),
  };
}
