import { Readable } from "node:stream";
import type { AudioFormat } from "@parley/shared/contracts/recordings.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { parseRange } from "./byte-range.ts";
import { isCompressed, openAsWav } from "./kept-forms.ts";
import type { StoredFiles } from "./stored-files.ts";

/** Content types of recordings. */
export const RECORDING_TYPES = ["audio/wav", "audio/ogg"];

interface Wanted {
  readonly id: string;
  readonly key: string;
  /** `opus`: as stored, if it was compressed. */
  readonly format: AudioFormat;
}

/** Answers with a recording or the requested part of it. Throws `AppError` not_found. */
export async function sendRecording(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { id, key, format }: Wanted,
  recordings: StoredFiles,
): Promise<FastifyReply> {
  const isOgg = format === "opus" && isCompressed(key);
  const audio = isOgg ? await openAsKept(recordings, key) : await openAsWav(recordings, key);
  const { sizeBytes } = audio;
  const range = parseRange(request.headers.range, sizeBytes);
  reply
    .header("accept-ranges", "bytes")
    .header("cache-control", "private, no-store")
    .header("content-disposition", `inline; filename="${id}.${isOgg ? "ogg" : "wav"}"`);
  if (range === "unsatisfiable") {
    return reply.status(416).header("content-range", `bytes */${sizeBytes}`).send();
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  if (range) reply.status(206).header("content-range", `bytes ${start}-${end}/${sizeBytes}`);
  reply.header("content-length", String(end - start + 1)).type(isOgg ? "audio/ogg" : "audio/wav");
  // Avoids decoding when only the length is wanted.
  if (request.method === "HEAD") return reply.send(Readable.from([]));
  return reply.send(Readable.from(audio.open({ start, end })));
}

async function openAsKept(recordings: StoredFiles, key: string) {
  const sizeBytes = await recordings.sizeBytes(key);
  return {
    sizeBytes,
    open: async function* (range: { start: number; end: number }): AsyncGenerator<Uint8Array> {
      yield* await recordings.open(key, range);
    },
  };
}
