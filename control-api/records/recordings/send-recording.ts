import type { FastifyReply, FastifyRequest } from "fastify";
import { parseRange } from "./byte-range.ts";
import type { StoredFiles } from "./stored-files.ts";

/** Answers with a recording or the part of it that was asked for. Throws `AppError` not_found. */
export async function sendRecording(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  found: { readonly id: string; readonly key: string },
  recordings: StoredFiles,
): Promise<FastifyReply> {
  const sizeBytes = await recordings.sizeBytes(found.key);
  const range = parseRange(request.headers.range, sizeBytes);
  reply
    .header("accept-ranges", "bytes")
    .header("cache-control", "private, no-store")
    .header("content-disposition", `inline; filename="${found.id}.wav"`);
  if (range === "unsatisfiable") {
    return reply.status(416).header("content-range", `bytes */${sizeBytes}`).send();
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  if (range) reply.status(206).header("content-range", `bytes ${start}-${end}/${sizeBytes}`);
  reply.header("content-length", String(end - start + 1)).type("audio/wav");
  return reply.send(await recordings.open(found.key, { start, end }));
}
