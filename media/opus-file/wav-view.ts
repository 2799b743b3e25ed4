import { PCM_RATE_HZ } from "../pcm.ts";
import { WAV_HEADER_BYTES } from "../wav/left-off.ts";
import { finishedHeaderOf } from "../wav/wav-writer.ts";
import { decodePart, type ReadPart } from "./decode.ts";
import { HEAD_BYTES, type Layout, readLayout } from "./layout.ts";

const CHANNELS = 2;
const BYTES_PER_INSTANT = 4;

/** A recording stored as Ogg Opus, presented as its original WAV file: same length to the byte, readable in parts. */
export interface WavView {
  readonly sizeBytes: number;
  /** `end` is inclusive, as in a request's range. */
  open(range: { readonly start: number; readonly end: number }): AsyncGenerator<Uint8Array>;
}

/** `fileBytes`: size of the Ogg file that `read` reads. Throws `AppError` unavailable for a damaged one. */
export async function viewAsWav(read: ReadPart, fileBytes: number): Promise<WavView> {
  const layout = readLayout(await read({ start: 0, end: Math.min(HEAD_BYTES, fileBytes) }));
  return {
    sizeBytes: WAV_HEADER_BYTES + layout.samples * BYTES_PER_INSTANT,
    open: (range) => wavBytes(layout, range, read),
  };
}

async function* wavBytes(
  layout: Layout,
  { start, end }: { readonly start: number; readonly end: number },
  read: ReadPart,
): AsyncGenerator<Uint8Array> {
  const dataBytes = layout.samples * BYTES_PER_INSTANT;
  if (start < WAV_HEADER_BYTES)
    yield finishedHeaderOf({ sampleRateHz: PCM_RATE_HZ, channels: CHANNELS, dataBytes }).subarray(
      start,
      end + 1,
    );
  const first = Math.max(0, start - WAV_HEADER_BYTES);
  const beyond = Math.min(dataBytes, end + 1 - WAV_HEADER_BYTES);
  if (beyond <= first) return;
  const from = Math.floor(first / BYTES_PER_INSTANT);
  const to = Math.ceil(beyond / BYTES_PER_INSTANT);
  let at = from * BYTES_PER_INSTANT;
  for await (const samples of decodePart(layout, { from, to }, read)) {
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    yield bytes.subarray(Math.max(0, first - at), Math.max(0, beyond - at));
    at += bytes.length;
  }
}
