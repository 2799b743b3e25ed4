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

/** After the call: whoever is told of its end and fetches the recording at once gets the file as it was written. */
const AFTER_MS = 60_000;
/** How long the WAV file stays for who began to read it. */
const KEEP_WAV_MS = 60_000;
/** Longer ones stay as they are: the file is put together in memory. */
const LONGEST_MS = 4 * 3_600_000;
const CHANNELS = 2;
const BYTES_PER_INSTANT = 4;
const AT_ONCE = 20;
/** Two days: a store may be away for a night. */
const MAX_RUNS = 50;
/** What a thread is given of the memory that this process may have: each holds a recording while it is at work. */
const BYTES_EACH = 512 * 1024 * 1024;
/** Threads of one process: live calls go before them. */
const AT_WORK = Math.max(
  1,
  Math.min(availableParallelism() / 2, Math.floor((process.constrainedMemory() || totalmem()) / BYTES_EACH)),
);
/** Far longer than the longest recording takes: what still reads then waits for a store that went away. */
const TIME_LIMIT_MS = 30 * 60_000;

/** `key`: where it was written to, so that nothing stays behind of one that is erased meanwhile. */
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

/** A job for each recording, once it is announced. */
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
 * Makes Ogg Opus of a recording, by a thread at low priority. The recording is the new file from the
 * transaction on in which the job ends; until then, and a while longer, the WAV file is there.
 */
export function compressesRecordings(deps: CompressDeps): JobHandler {
  return handles(
    COMPRESS,
    async ({ payload: { recordingId: id, key }, signal }) => {
      const found = await findToCompress(deps.database, id);
      if (!found) {
        // Erased, perhaps while an earlier run was at work on it.
        await deps.recordings.delete(compressedKeyOf(key));
        return undefined;
      }
      if (found.key !== key || compressedKeyOf(key) === key) return undefined;
      if (!found.isHeld) return compress({ id, ...found }, signal, deps);
      // The proof is the file as it was written.
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
    // Erased while it was made. Whoever erases it from now on sees both files.
    await recordings.delete(to);
    return undefined;
  }
  if ((await recordings.sizeBytes(to)) !== file.length)
    throw new Error("the compressed file was not stored whole");
  return async (trx) => {
    await assertNoLegalHold(trx, orgId);
    const at = new Date(clock.wallMs());
    // Tried again, when there is no row any more, which deletes what was made.
    if (!(await switchToCompressed(trx, { id, key, to, at })))
      throw new Error("the recording was erased meanwhile");
    await insertPeaks(trx, { id, peaks: toStored(CHANNELS, peaks), at });
  };
}

/** Opened when it is read: nobody would hear of what goes wrong with it before. */
async function* soundOf(
  recordings: StoredFiles,
  { key, samples, signal }: { readonly key: string; readonly samples: number; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const end = WAV_HEADER_BYTES + samples * BYTES_PER_INSTANT - 1;
  yield* addAbortSignal(signal, await recordings.open(key, { start: WAV_HEADER_BYTES, end }));
}

/** Samples of each side; undefined for what no gateway wrote, what has no sound, and what is too long. */
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

/** Deletes WAV files whose recordings were compressed, each only beside the file that takes its place. */
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
        // It must not be in the way of the others.
        await postponeReplaced(database, id, new Date(clock.wallMs()));
      }
    }
    if (replaced.length < AT_ONCE) return;
  }
}
