import { callRecordSchema } from "@parley/shared/contracts/calls.ts";
import {
  audioQuerySchema,
  recordingLinkSchema,
  waveformSchema,
} from "@parley/shared/contracts/recordings.ts";
import { sessionParamsSchema } from "@parley/shared/contracts/sessions.ts";
import type { Delivery } from "@parley/shared/contracts/webhooks.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import { KEY_READS } from "../../http/access/rules.ts";
import { keyOf } from "../../http/plugins/access.ts";
import type { Reads } from "../../http/reads.ts";
import { type Api, KEY_SECURITY, responses } from "../../http/routes.ts";
import type { RecordingLinks } from "../recordings/recording-links.ts";
import { RECORDING_TYPES, sendRecording } from "../recordings/send-recording.ts";
import { findRecording } from "../recordings/store.ts";
import type { StoredFiles } from "../recordings/stored-files.ts";
import type { Waveforms } from "../recordings/waveforms.ts";
import { toCallRecord } from "./call-record.ts";
import { findCall } from "./store.ts";

/** The deliveries about a call, in order. */
export type DeliveriesOf = (
  database: Database,
  orgId: string,
  sessionId: string,
) => Promise<(Delivery & { endpointId: string })[]>;

export interface CallsDeps {
  readonly database: Database;
  readonly reads: Reads;
  readonly recordings: StoredFiles;
  readonly recordingLinks: RecordingLinks;
  readonly waveforms: Waveforms;
  readonly deliveriesOf: DeliveriesOf;
}

/** `/api/v1/calls`: the stored data of calls. */
export function callRoutes(app: Api, deps: CallsDeps): void {
  const { reads, recordingLinks } = deps;
  app.get(
    "/api/v1/calls/:id",
    {
      config: { access: KEY_READS },
      schema: {
        tags: ["calls"],
        summary: "Read a call with its transcript",
        security: KEY_SECURITY,
        params: sessionParamsSchema,
        response: responses(200, callRecordSchema),
      },
    },
    async (request) => {
      const stored = await findCall(reads.database, keyOf(request).orgId, request.params.id);
      if (!stored) throw new AppError("not_found", "There is no such call in this organization.");
      return toCallRecord(stored, recordingLinks);
    },
  );
  recordingRoutes(app, deps);
}

function recordingRoutes(app: Api, { database, recordings, recordingLinks, waveforms }: CallsDeps): void {
  const existing = async (orgId: string, id: string) => {
    const found = await findRecording(database, orgId, id);
    if (!found) throw new AppError("not_found", "The call has no recording, or none yet.");
    return found;
  };
  app.get(
    "/api/v1/calls/:id/recording-url",
    {
      config: { access: KEY_READS },
      schema: {
        tags: ["calls"],
        summary: "Get a link to a call's recording that opens without a key for an hour",
        security: KEY_SECURITY,
        params: sessionParamsSchema,
        response: responses(200, recordingLinkSchema),
      },
    },
    async (request, reply) => {
      const { id } = await existing(keyOf(request).orgId, request.params.id);
      reply.header("cache-control", "no-store");
      return recordingLinks.link(id);
    },
  );
  app.get(
    "/api/v1/calls/:id/waveform",
    {
      config: { access: KEY_READS },
      schema: {
        tags: ["calls"],
        summary: "Read the peaks of a call's recording, to draw it",
        security: KEY_SECURITY,
        params: sessionParamsSchema,
        response: responses(200, waveformSchema),
      },
    },
    async (request) => waveforms.of(await existing(keyOf(request).orgId, request.params.id)),
  );
  app.get(
    "/api/v1/calls/:id/recording",
    {
      config: { access: KEY_READS },
      schema: {
        tags: ["calls"],
        summary: "Listen to a call: stereo WAV (or `format=opus`), the caller left, the agent right",
        security: KEY_SECURITY,
        params: sessionParamsSchema,
        querystring: audioQuerySchema,
        produces: RECORDING_TYPES,
      },
    },
    async (request, reply) => {
      const found = await existing(keyOf(request).orgId, request.params.id);
      const { format } = request.query;
      return sendRecording({ request, reply }, { ...found, format }, recordings);
    },
  );
}
