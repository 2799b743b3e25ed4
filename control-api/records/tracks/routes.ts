import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import {
  renameTrackSchema,
  TRACK_MAX_BYTES,
  TRACKS_MAX_BYTES,
  trackDeletedResponseSchema,
  trackParamsSchema,
  trackResponseSchema,
  tracksResponseSchema,
  uploadTrackQuerySchema,
} from "@parley/shared/contracts/tracks.ts";
import { AppError } from "@parley/shared/errors.ts";
import { TRACKS_READ, TRACKS_WRITE } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { sendRecording } from "../recordings/send-recording.ts";
import { findTrack, listTracks, renameTrack } from "./store.ts";
import { deleteTrack, noSuchTrack, type TracksDeps, uploadTrack } from "./tracks.ts";

/** As browsers, curl and old tools name it. Another site's form cannot send any of these without a preflight. */
const WAV_TYPES = ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"];
const TRACKS = "/api/orgs/:orgId/ambient-tracks";
const TRACK = `${TRACKS}/:id`;
const common = { tags: ["tracks"], security: KEY_OR_USER_SECURITY };

/** `/api/orgs/{orgId}/ambient-tracks`: files to play into manual calls, by `trackId`. */
export async function trackRoutes(app: Api, deps: TracksDeps): Promise<void> {
  await uploadRoute(app, deps);
  readRoutes(app, deps);
  changeRoutes(app, deps);
}

async function uploadRoute(app: Api, deps: TracksDeps): Promise<void> {
  await app.register((scope: Api, _options, done) => {
    scope.addContentTypeParser(
      WAV_TYPES,
      { parseAs: "buffer", bodyLimit: TRACK_MAX_BYTES },
      (_, body, next) => next(null, body),
    );
    scope.post(
      TRACKS,
      {
        config: { access: TRACKS_WRITE },
        bodyLimit: TRACK_MAX_BYTES,
        schema: {
          ...common,
          summary: "Upload a track: a 16-bit PCM WAV file as the body, with Content-Type: audio/wav",
          consumes: WAV_TYPES,
          params: orgParamsSchema,
          querystring: uploadTrackQuerySchema,
          response: responses(201, trackResponseSchema),
        },
      },
      async (request, reply) => {
        const bytes: unknown = request.body;
        if (!Buffer.isBuffer(bytes))
          throw new AppError(
            "unsupported_media_type",
            "Send the WAV file itself as the body, with Content-Type: audio/wav.",
          );
        const { orgId } = actorOf(request);
        const track = await uploadTrack({ orgId, name: request.query.name, bytes }, deps);
        return reply.status(201).send(success(track));
      },
    );
    done();
  });
}

function readRoutes(app: Api, { database, recordings }: TracksDeps): void {
  app.get(
    TRACKS,
    {
      config: { access: TRACKS_READ },
      schema: {
        ...common,
        summary: "List tracks, oldest first",
        params: orgParamsSchema,
        response: responses(200, tracksResponseSchema),
      },
    },
    async (request) => {
      const tracks = await listTracks(database, actorOf(request).orgId);
      const usedBytes = tracks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      return success({ tracks, total: tracks.length, usedBytes, maxBytes: TRACKS_MAX_BYTES });
    },
  );
  app.get(
    `${TRACK}/audio`,
    {
      config: { access: TRACKS_READ },
      schema: {
        ...common,
        summary: "Listen to a track; ranges are served",
        params: trackParamsSchema,
        produces: ["audio/wav"],
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = await findTrack(database, actorOf(request).orgId, id);
      if (!found) throw noSuchTrack(id);
      return sendRecording({ request, reply }, { id, key: found.key, format: "wav" }, recordings);
    },
  );
}

function changeRoutes(app: Api, deps: TracksDeps): void {
  const { database } = deps;
  app.patch(
    TRACK,
    {
      config: { access: TRACKS_WRITE },
      schema: {
        ...common,
        summary: "Rename a track",
        params: trackParamsSchema,
        body: renameTrackSchema,
        response: responses(200, trackResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      const { id } = request.params;
      await renameTrack(database, { orgId, id, name: request.body.name });
      const found = await findTrack(database, orgId, id);
      if (!found) throw noSuchTrack(id);
      return success(found.track);
    },
  );
  app.delete(
    TRACK,
    {
      config: { access: TRACKS_WRITE },
      schema: {
        ...common,
        summary: "Delete a track; a call that plays it goes on playing it",
        params: trackParamsSchema,
        response: responses(200, trackDeletedResponseSchema),
      },
    },
    async (request) => {
      const { id } = request.params;
      await deleteTrack({ orgId: actorOf(request).orgId, id }, deps);
      return success({ id });
    },
  );
}
