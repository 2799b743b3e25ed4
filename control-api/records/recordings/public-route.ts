import { recordingParamsSchema, signedAudioQuerySchema } from "@parley/shared/contracts/recordings.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import { PUBLIC } from "../../http/access/rules.ts";
import type { Api } from "../../http/routes.ts";
import type { RecordingLinks } from "./recording-links.ts";
import { RECORDING_TYPES, sendRecording } from "./send-recording.ts";
import { findRecordingById } from "./store.ts";
import type { StoredFiles } from "./stored-files.ts";

export interface PublicRecordingDeps {
  readonly database: Database;
  readonly recordings: StoredFiles;
  readonly recordingLinks: RecordingLinks;
}

/** `/api/public/recordings/{id}`: the links in webhooks and call records. */
export function publicRecordingRoute(app: Api, deps: PublicRecordingDeps): void {
  const { database, recordings, recordingLinks } = deps;
  app.get(
    "/api/public/recordings/:id",
    {
      config: { access: PUBLIC },
      schema: {
        tags: ["recordings"],
        summary: "Listen to a recording by a signed link; good for an hour, ranges are served",
        params: recordingParamsSchema,
        querystring: signedAudioQuerySchema,
        produces: RECORDING_TYPES,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      recordingLinks.assertOpen(id, request.query);
      const found = await findRecordingById(database, id);
      if (!found) throw new AppError("not_found", "The recording was deleted.");
      const { format } = request.query;
      return sendRecording({ request, reply }, { ...found, format }, recordings);
    },
  );
}
