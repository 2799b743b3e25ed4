import { callRecordSchema } from "@parley/shared/contracts/calls.ts";
import { sessionParamsSchema } from "@parley/shared/contracts/sessions.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { AppError } from "@parley/shared/errors.ts";
import { KEY_READS } from "../access/rules.ts";
import { keyOf } from "../plugins/access.ts";
import { type Api, KEY_SECURITY, responses } from "../routes.ts";
import { parseRange } from "./byte-range.ts";
import { toCallRecord } from "./call-record.ts";
import type { RecordingReader } from "./recording-reader.ts";
import { findCall, findRecording } from "./store.ts";

export interface CallsDeps {
  readonly database: Database;
  readonly recordings: RecordingReader;
}

/** `/api/v1/calls`: what is kept of a call. */
export function callRoutes(app: Api, { database, recordings }: CallsDeps): void {
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
      const stored = await findCall(database, keyOf(request).orgId, request.params.id);
      if (!stored) throw new AppError("not_found", "There is no such call in this organization.");
      return toCallRecord(stored);
    },
  );

  app.get(
    "/api/v1/calls/:id/recording",
    {
      config: { access: KEY_READS },
      schema: {
        tags: ["calls"],
        summary: "Listen to a call: stereo WAV, the caller left, the agent right",
        security: KEY_SECURITY,
        params: sessionParamsSchema,
      },
    },
    async (request, reply) => {
      const found = await findRecording(database, keyOf(request).orgId, request.params.id);
      if (!found) throw new AppError("not_found", "The call has no recording, or none yet.");
      const sizeBytes = await recordings.sizeBytes(found.key);
      const range = parseRange(request.headers.range, sizeBytes);
      reply.header("accept-ranges", "bytes").header("cache-control", "private");
      if (range === "unsatisfiable") {
        return reply.status(416).header("content-range", `bytes */${sizeBytes}`).send();
      }
      const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
      if (range) reply.status(206).header("content-range", `bytes ${start}-${end}/${sizeBytes}`);
      reply.header("content-length", String(end - start + 1)).type("audio/wav");
      return reply.send(await recordings.open(found.key, { start, end }));
    },
  );
}
