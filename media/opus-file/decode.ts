import { createOpusDecoder, type OpusDecoder } from "../codecs/opus.ts";
import { FRAME_SAMPLES } from "../pcm.ts";
import { FRAMES_PER_PAGE, type Layout, splitPacket } from "./layout.ts";
import { readPage } from "./pages.ts";

const PAGE_SAMPLES = FRAMES_PER_PAGE * FRAME_SAMPLES;
/**
 * Number of pages per decoder, which starts one page earlier. Runs always start at the same pages, so any part of a
 * file decodes to identical samples whichever part was requested, and a resumed download fits.
 */
const PAGES_PER_RUN = 10;

/** Reads bytes of the file; `end` is exclusive. */
export type ReadPart = (part: { readonly start: number; readonly end: number }) => Promise<Uint8Array>;

interface Samples {
  /** In samples of one channel; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Decodes the sound between two samples, interleaved, at most a second at a time. */
export async function* decodePart(
  layout: Layout,
  { from, to }: Samples,
  read: ReadPart,
): AsyncGenerator<Int16Array> {
  const wanted = { from: from + layout.delaySamples, to: to + layout.delaySamples };
  const pages = layout.pageAt.length - 1;
  const firstPage = Math.floor(wanted.from / PAGE_SAMPLES);
  const endPage = Math.min(pages, Math.ceil(wanted.to / PAGE_SAMPLES));
  for (let run = Math.floor(firstPage / PAGES_PER_RUN) * PAGES_PER_RUN; run < endPage; run += PAGES_PER_RUN) {
    const end = Math.min(endPage, run + PAGES_PER_RUN);
    for await (const { page, samples } of decodeRun(layout, { run, end }, read)) {
      const begin = page * PAGE_SAMPLES;
      const part = samples.subarray(2 * Math.max(0, wanted.from - begin), 2 * Math.max(0, wanted.to - begin));
      if (part.length > 0) yield part;
    }
  }
}

/** Decodes the pages from `run` to before `end`, each as a whole. */
async function* decodeRun(
  { pageAt }: Layout,
  { run, end }: { readonly run: number; readonly end: number },
  read: ReadPart,
): AsyncGenerator<{ page: number; samples: Int16Array }> {
  const first = Math.max(0, run - 1);
  const start = pageAt[first] ?? 0;
  const bytes = await read({ start, end: pageAt[end] ?? start });
  const [left, right] = await Promise.all([createOpusDecoder(), createOpusDecoder()]);
  try {
    for (let page = first; page < end; page++) {
      const { packets } = readPage(bytes, (pageAt[page] ?? 0) - start);
      const samples = decodePage(packets, left, right);
      if (page >= run) yield { page, samples };
      // Yields to other work: a second of sound takes some milliseconds.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  } finally {
    left.free();
    right.free();
  }
}

function decodePage(packets: readonly Uint8Array[], left: OpusDecoder, right: OpusDecoder): Int16Array {
  const samples = new Int16Array(2 * FRAME_SAMPLES * packets.length);
  packets.forEach((joined, index) => {
    const sides = splitPacket(joined);
    const at = 2 * FRAME_SAMPLES * index;
    interleave(left.decode(sides.left), samples.subarray(at));
    interleave(right.decode(sides.right), samples.subarray(at + 1));
  });
  return samples;
}

function interleave(mono: Int16Array, into: Int16Array): void {
  for (let i = 0; i < FRAME_SAMPLES; i++) into[2 * i] = mono[i] ?? 0;
}
