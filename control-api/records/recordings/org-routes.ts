import {
  contentDeletedResponseSchema,
  orgRecordingParamsSchema,
  recordingDeletedResponseSchema,
  recordingLinkResponseSchema,
  waveformResponseSchema,
} from "@parley/shared/contracts/recordings.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { CONTENT_READS, CONTENT_WRITES } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import { type EraseDeps, eraseCall, eraseRecording } from "./erase.ts";
import type { RecordingLinks } from "./recording-links.ts";
import { findRecording } from "./store.ts";
import type { Waveforms } from "./waveforms.ts";

export interface OrgRecordingDeps extends EraseDeps {
  readonly recordingLinks: RecordingLinks;
  readonly waveforms: Waveforms;
  readonly audit: Audit;
}

const common = {
  tags: ["recordings"],
  security: KEY_OR_USER_SECURITY,
  params: orgRecordingParamsSchema,
};

/** `/api/orgs/{orgId}/calls/{id}/…` and `/recordings/{id}`: listening, viewing and deleting. */
export function orgRecordingRoutes(app: Api, deps: OrgRecordingDeps): void {
  readRoutes(app, deps);
  deleteRoutes(app, deps);
}

function readRoutes(app: Api, { database, recordingLinks, waveforms }: OrgRecordingDeps): void {
  const existing = async (request: FastifyRequest, id: string) => {
    const found = await findRecording(database, actorOf(request).orgId, id);
    if (!found) throw new AppError("not_found", "The call has no recording, or none yet.");
    return found;
  };
  app.get(
    "/api/orgs/:orgId/calls/:id/recording-url",
    {
      config: { access: CONTENT_READS },
      schema: {
        ...common,
        summary: "Get a link to a call's recording",
        response: responses(200, recordingLinkResponseSchema),
      },
    },
    async (request, reply) => {
      const { id } = await existing(request, request.params.id);
      reply.header("cache-control", "no-store");
      return success(recordingLinks.link(id));
    },
  );
  app.get(
    "/api/orgs/:orgId/calls/:id/waveform",
    {
      config: { access: CONTENT_READS },
      schema: {
        ...common,
        summary: "Read a recording's peaks",
        response: responses(200, waveformResponseSchema),
      },
    },
    async (request) => success(await waveforms.of(await existing(request, request.params.id))),
  );
}

function deleteRoutes(app: Api, deps: OrgRecordingDeps): void {
  const tell = (request: FastifyRequest, action: string, details: Record<string, string>) => {
    const actor = actorOf(request);
    const by =
      actor.kind === "key"
        ? { kind: "key" as const, id: actor.keyId }
        : { kind: "user" as const, id: actor.userId };
    return deps.audit.write({ action, orgId: actor.orgId, actor: by, client: clientOf(request), details });
  };
  app.delete(
    "/api/orgs/:orgId/recordings/:id",
    {
      config: { access: CONTENT_WRITES },
      schema: {
        ...common,
        summary: "Delete a recording",
        response: responses(200, recordingDeletedResponseSchema),
      },
    },
    async (request) => {
      const { id } = request.params;
      await eraseRecording({ orgId: actorOf(request).orgId, id }, deps);
      await tell(request, "recording.deleted", { recordingId: id });
      return success({ id });
    },
  );
  app.delete(
    "/api/orgs/:orgId/calls/:id/content",
    {
      config: { access: CONTENT_WRITES },
      schema: {
        ...common,
        summary: "Delete what was said in a call: transcript, tools, recording, webhooks that tell of it",
        response: responses(200, contentDeletedResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      const erased = await eraseCall({ orgId, id: request.params.id }, deps);
      await tell(request, "call_content.deleted", { sessionId: erased.sessionId });
      return success(erased);
    },
  );
}
