import { availableParallelism, totalmem } from "node:os";
import { addAbortSignal } from "node:stream";
import { buffer } from "node:stream/consumers";
import { encodeApart } from "@parley/media/opus-file/encode-apart.ts";
import { PCM_RATE_HZ } from "@parley/media/pcm.ts";
import { WAV_HEADER_BYTES } from "@parley/media/wav/left-off.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { AudioFormat } from "@parley/shared/contracts/recordings.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { z } from "zod";
import type { Database } from "../../database/open.ts";
import { handles, type JobHandler, type JobKind, type WriteResult } from "../../jobs/job-kind.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Subscription } from "../../subscriptions/subscription.ts";
import { assertNoLegalHold } from "./content-store.ts";
import { compressedKeyOf } from "./kept-forms.ts";
import {
  findReplaced,
  findToCompress,
  insertPeaks,
  markReplaced,
  postponeReplaced,
  switchToCompressed,
} from "./store.ts";
import type { StoredFiles } from "./stored-files.ts";
import { shapeOf, toStored } from "./waveforms.ts";

/** Delay after the call: whoever fetches the recording right after its end gets the original file. */
const AFTER_MS = 60_000;
/** How long the WAV file stays for readers who already began. */
const KEEP_WAV_MS = 60_000;
/** Longer recordings stay uncompressed, since the file is assembled in memory. */
const LONGEST_MS = 4 * 3_600_000;
const CHANNELS = 2;
const BYTES_PER_INSTANT = 4;
const AT_ONCE = 20;
/** Two days, since a store may be away for a night. */
const MAX_RUNS = 50;
/** A thread's share of this process's memory: each holds a recording while it works. */
const BYTES_EACH = 512 * 1024 * 1024;
/** Threads per process: live calls have priority. */
const AT_WORK = Math.max(
  1,
  Math.min(availableParallelism() / 2, Math.floor((process.constrainedMemory() || totalmem()) / BYTES_EACH)),
);
/** Far longer than the longest recording takes: a thread still reading then is waiting for a store that went away. */
const TIME_LIMIT_MS = 30 * 60_000;

/** `key`: where the recording was written, so that no file remains if it is erased meanwhile. */
const COMPRESS: JobKind<{ readonly recordingId: string; readonly key: string }> = {
  name: "compress_recording",
  payload: z.object({ recordingId: z.string(), key: z.string() }),
};

export interface CompressDeps {
  readonly database: Database;
  readonly recordings: StoredFiles;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface QueueingDeps {
  readonly queue: JobQueue;
  readonly clock: Clock;
  /** RECORDING_FORMAT. */
  readonly format: AudioFormat;
}

/** Queues a job for each announced recording. */
export function queuesCompression({ queue, clock, format }: QueueingDeps): Subscription {
  return {
    name: "compress_recordings",
    types: ["recording.ready"],
    handle: async (trx, recorded) => {
      if (format === "wav") return undefined;
      const runAt = new Date(clock.wallMs() + AFTER_MS);
      for (const { event } of recorded) {
        if (event.type !== "recording.ready") continue;
        const { recordingId, key, orgId } = event;
        const payload = { recordingId, key };
        await queue.add(trx, COMPRESS, { payload, orgId, once: recordingId, runAt });
      }
      return undefined;
    },
  };
}

/**
 * Compresses a recording to Ogg Opus, in a low-priority thread. The transaction that ends the job switches the
 * recording to the new file; the WAV file stays until then and a while longer.
 */
export function compressesRecordings(deps: CompressDeps): JobHandler {
  return handles(
    COMPRESS,
    async ({ payload: { recordingId: id, key }, signal }) => {
      const found = await findToCompress(deps.database, id);
      if (!found) {
        // The recording was erased, perhaps during an earlier run.
        await deps.recordings.delete(compressedKeyOf(key));
        return undefined;
      }
      if (found.key !== key || compressedKeyOf(key) === key) return undefined;
      if (!found.isHeld) return compress({ id, ...found }, signal, deps);
      // Under legal hold, the original file is the evidence.
      await deps.recordings.delete(compressedKeyOf(key));
      return undefined;
    },
    { sideBySide: AT_WORK, attempts: MAX_RUNS, firstRetryMs: 10_000, longestRetryMs: 3_600_000 },
  );
}

async function compress(
  { id, key, orgId }: { readonly id: string; readonly key: string; readonly orgId: string },
  signal: AbortSignal,
  { recordings, clock, log, database }: CompressDeps,
): Promise<WriteResult | undefined> {
  const samples = await readLength(recordings, key);
  if (samples === undefined) {
    log.warn(
      { event: "recording_not_compressed", recordingId: id },
      "a recording is not as gateways write them, left as it is",
    );
    return undefined;
  }
  const either = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
  const audio = soundOf(recordings, { key, samples, signal: either });
  const { file, peaks } = await encodeApart(audio, shapeOf({ channels: CHANNELS, samples }), either);
  const to = compressedKeyOf(key);
  await recordings.put(to, file);
  if (!(await findToCompress(database, id))) {
    // Erased during compression. From now on, an erasure sees both files.
    await recordings.delete(to);
    return undefined;
  }
  if ((await recordings.sizeBytes(to)) !== file.length)
    throw new Error("the compressed file was not stored whole");
  return async (trx) => {
    await assertNoLegalHold(trx, orgId);
    const at = new Date(clock.wallMs());
    // The failed job runs again, finds no row, and deletes the file made here.
    if (!(await switchToCompressed(trx, { id, key, to, at })))
      throw new Error("the recording was erased meanwhile");
    await insertPeaks(trx, { id, peaks: toStored(CHANNELS, peaks), at });
  };
}

/** Opens the file only when it is read: an earlier error would go unhandled. */
async function* soundOf(
  recordings: StoredFiles,
  { key, samples, signal }: { readonly key: string; readonly samples: number; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const end = WAV_HEADER_BYTES + samples * BYTES_PER_INSTANT - 1;
  yield* addAbortSignal(signal, await recordings.open(key, { start: WAV_HEADER_BYTES, end }));
}

/** Samples per channel; undefined if no gateway wrote the file, or it has no sound or is too long. */
async function readLength(recordings: StoredFiles, key: string): Promise<number | undefined> {
  const sizeBytes = await recordings.sizeBytes(key).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") return 0;
    throw error;
  });
  if (sizeBytes <= WAV_HEADER_BYTES) return undefined;
  const header = await buffer(await recordings.open(key, { start: 0, end: WAV_HEADER_BYTES - 1 }));
  const isOurs =
    header.toString("latin1", 0, 4) === "RIFF" &&
    header.toString("latin1", 36, 40) === "data" &&
    header.readUInt16LE(22) === CHANNELS &&
    header.readUInt32LE(24) === PCM_RATE_HZ &&
    header.readUInt16LE(34) === 16;
  const samples = Math.floor((sizeBytes - WAV_HEADER_BYTES) / BYTES_PER_INSTANT);
  const isFit = samples > 0 && samples <= (LONGEST_MS / 1_000) * PCM_RATE_HZ;
  return isOurs && isFit ? samples : undefined;
}

/** Deletes WAV files of compressed recordings, each only if its replacement exists. */
export async function deleteReplaced(
  { database, recordings, clock, log }: CompressDeps,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const before = new Date(clock.wallMs() - KEEP_WAV_MS);
    const replaced = await findReplaced(database, { before, limit: AT_ONCE });
    for (const { id, key } of replaced) {
      try {
        if ((await recordings.sizeBytes(key)) === 0) throw new Error("the compressed file is empty");
        await recordings.delete(key.replace(/\.ogg$/, ".wav"));
        await markReplaced(database, id);
      } catch (error) {
        log.warn(
          { event: "recording_wav_delete_failed", err: messageOf(error), recordingId: id },
          "failed to delete the WAV file of a compressed recording, trying again",
        );
        // Keeps one failure from blocking the others.
        await postponeReplaced(database, id, new Date(clock.wallMs()));
      }
    }
    if (replaced.length < AT_ONCE) return;
  }
}
