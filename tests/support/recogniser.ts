import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { createCommandStt } from "@parley/media/stt/command.ts";

/** Only after `needs("pocketsphinx")`. */
export const POCKETSPHINX = "pocketsphinx_continuous -infile {wav} -logfn /dev/null";

/** The share of `expected`'s words that are among `heard`'s. */
export function wordsFound(expected: string, heard: string): number {
  const words = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? [];
  const found = new Set(words(heard));
  const wanted = words(expected);
  return wanted.filter((word) => found.has(word)).length / wanted.length;
}

/** What the recogniser makes of speech, all at once. */
export async function recognise(samples: Int16Array): Promise<string> {
  const vendor = createCommandStt({ commandLine: POCKETSPHINX });
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
