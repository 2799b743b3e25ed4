import { WAV_HEADER_BYTES } from "@parley/media/wav/left-off.ts";
import { PeakMeter, type PeakShape } from "@parley/media/waveforms/peaks.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Waveform } from "@parley/shared/contracts/recordings.ts";
import type { Database } from "../../database/open.ts";
import { openAsWav } from "./kept-forms.ts";
import { findPeaks, insertPeaks } from "./store.ts";
import type { StoredFiles } from "./stored-files.ts";

const POINTS = 1_000;
const BYTES_PER_SAMPLE = 2;
const CHANNELS_OFFSET = 22;

export interface WaveformsDeps {
  readonly database: Database;
  readonly recordings: StoredFiles;
  readonly clock: Clock;
}

/** Peaks of recordings, computed on first request and stored. */
export class Waveforms {
  readonly #deps: WaveformsDeps;
  readonly #inWork = new Map<string, Promise<Waveform>>();

  constructor(deps: WaveformsDeps) {
    this.#deps = deps;
  }

  /** Concurrent requests share the work. Throws `AppError` not_found if the file is gone. */
  of(recording: { readonly id: string; readonly key: string }): Promise<Waveform> {
    const begun = this.#inWork.get(recording.id);
    if (begun) return begun;
    const work = this.#findOrMake(recording).finally(() => this.#inWork.delete(recording.id));
    this.#inWork.set(recording.id, work);
    return work;
  }

  async #findOrMake(recording: { readonly id: string; readonly key: string }): Promise<Waveform> {
    const known = await findPeaks(this.#deps.database, recording.id);
    return known ? toWaveform(known) : this.#make(recording);
  }

  async #make({ id, key }: { readonly id: string; readonly key: string }): Promise<Waveform> {
    const { database, recordings, clock } = this.#deps;
    const wav = await openAsWav(recordings, key);
    const header = await readAll(wav.open({ start: 0, end: WAV_HEADER_BYTES - 1 }));
    const channels = header.readUInt16LE(CHANNELS_OFFSET);
    const samples = Math.floor((wav.sizeBytes - WAV_HEADER_BYTES) / BYTES_PER_SAMPLE / channels);
    const meter = new PeakMeter(shapeOf({ channels, samples }));
    if (samples > 0) {
      // Reads piece by piece, which lets others have their turn in between.
      const audio = wav.open({ start: WAV_HEADER_BYTES, end: wav.sizeBytes - 1 });
      for await (const piece of audio) meter.push(piece);
    }
    const peaks = toStored(channels, meter.peaks);
    await insertPeaks(database.db, { id, peaks, at: new Date(clock.wallMs()) });
    return toWaveform(peaks);
  }
}

/** How a recording is drawn: as many points as fit on a page. */
export function shapeOf({ channels, samples }: Omit<PeakShape, "points">): PeakShape {
  return { channels, points: Math.min(POINTS, samples), samples };
}

export function toStored(channels: number, peaks: Int8Array): Buffer {
  return Buffer.concat([
    Buffer.of(channels),
    new Uint8Array(peaks.buffer, peaks.byteOffset, peaks.byteLength),
  ]);
}

/** Stored as one byte with the number of channels, followed by the peaks. */
function toWaveform(stored: Uint8Array): Waveform {
  const channels = stored[0] ?? 1;
  // Copies, since a Buffer's memory is a slab shared with others.
  const levels = new Int8Array(new Uint8Array(stored).buffer, 1);
  const points = levels.length / channels / 2;
  return {
    points,
    channels: Array.from({ length: channels }, (_, channel) =>
      Array.from({ length: points * 2 }, (_unused, index) => {
        const point = Math.floor(index / 2);
        return levels[(point * channels + channel) * 2 + (index % 2)] ?? 0;
      }),
    ),
  };
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
