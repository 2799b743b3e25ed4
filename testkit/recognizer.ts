import { FRAME_SAMPLES, PCM_RATE_HZ } from "@parley/media/pcm.ts";
import { createCommandStt } from "@parley/media/stt/command.ts";

/** Only after `needs("pocketsphinx")`. */
export const POCKETSPHINX = "pocketsphinx_continuous -infile {wav} -logfn /dev/null";

/** Allows for other processes on this machine. */
const PATIENCE_MS = 60_000;
const QUIET_RMS = 100;

/** The spoken parts of a recording, each at least a second of silence apart: silence only costs time. */
export function spokenParts(samples: Int16Array): Int16Array[] {
  const parts: { from: number; to: number }[] = [];
  for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
    const frame = samples.subarray(at, at + FRAME_SAMPLES);
    const rms = Math.sqrt(frame.reduce((sum, sample) => sum + sample ** 2, 0) / frame.length);
    if (rms < QUIET_RMS) continue;
    const last = parts.at(-1);
    if (last && at - last.to < PCM_RATE_HZ) last.to = at + FRAME_SAMPLES;
    else parts.push({ from: at, to: at + FRAME_SAMPLES });
  }
  const margin = PCM_RATE_HZ / 5;
  return parts.map(({ from, to }) => samples.slice(Math.max(0, from - margin), to + margin));
}

/** The share of `expected`'s words found in `heard`. */
export function wordsFound(expected: string, heard: string): number {
  const words = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? [];
  const found = new Set(words(heard));
  const wanted = words(expected);
  return wanted.filter((word) => found.has(word)).length / wanted.length;
}

/** Transcribes speech in one go. */
export async function recognize(samples: Int16Array): Promise<string> {
  const vendor = createCommandStt({ commandLine: POCKETSPHINX, timeoutMs: PATIENCE_MS });
  return new Promise((resolve, reject) => {
    const session = vendor.open({
      language: "en",
      onEvent: (event) => {
        if (event.type === "final") resolve(event.text);
        if (event.type === "failed") reject(event.error);
      },
    });
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES)
      session.write(samples.slice(at, at + FRAME_SAMPLES));
    session.finalize();
  });
}
