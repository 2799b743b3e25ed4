import { execFile } from "node:child_process";
import { PCM_RATE_HZ } from "@parley/media/pcm.ts";
import { createResampler } from "@parley/media/resample/resampler.ts";
import { readWav } from "@parley/media/wav/wav-reader.ts";
import { atLevel, levelDb, VOICE_DB } from "./level.ts";

/** A caller's voice, one that the product does not speak with. */
export interface OutsideVoice {
  readonly name: string;
  /** Returns 16 kHz samples that start and end with voice, at a caller's level. */
  speak(text: string): Promise<Float32Array>;
}

interface VoiceProgram {
  readonly name: string;
  /** Debian packages that provide the voice. */
  readonly packages: string;
  readonly isThere: () => Promise<boolean>;
  readonly wavOf: (text: string) => Promise<Uint8Array>;
}

const EDGE_SAMPLES = PCM_RATE_HZ / 100;
const EDGE_DB = VOICE_DB - 26;

const PROGRAMS: readonly VoiceProgram[] = [
  espeak("en-us"),
  festival("ked_diphone", "festival festlex-cmu festlex-poslex festvox-kdlpc16k"),
  espeak("en-gb-x-rp+f3"),
  festival("lp_diphone", "festival festvox-italp16k"),
];

/** This machine's outside voices, and a line for each missing one. */
export async function findVoices(): Promise<{ voices: readonly OutsideVoice[]; missing: readonly string[] }> {
  const found = await Promise.all(PROGRAMS.map((program) => program.isThere()));
  const has = (_: unknown, i: number): boolean => found[i] === true;
  return {
    voices: PROGRAMS.filter(has).map(outsideVoice),
    missing: PROGRAMS.filter((_, i) => !found[i]).map(
      ({ name, packages }) => `${name} (apt-get install ${packages})`,
    ),
  };
}

function outsideVoice({ name, wavOf }: VoiceProgram): OutsideVoice {
  const spoken = new Map<string, Promise<Float32Array>>();
  const speak = async (text: string): Promise<Float32Array> =>
    trimmed(await samplesOf(await inTurn(() => wavOf(text))));
  return {
    name,
    speak: (text) => {
      const samples = spoken.get(text) ?? speak(text);
      spoken.set(text, samples);
      return samples;
    },
  };
}

let before: Promise<unknown> = Promise.resolve();

/** Runs one program at a time: dozens in parallel make each other fail, and one is fast enough. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = before.then(work);
  before = mine.catch(() => undefined);
  return mine;
}

async function samplesOf(wav: Uint8Array): Promise<Float32Array> {
  const { samples, sampleRateHz } = readWav(wav);
  const resampler = await createResampler(sampleRateHz, PCM_RATE_HZ);
  try {
    return atLevel(resampler.process(samples), VOICE_DB);
  } finally {
    resampler.free();
  }
}

function trimmed(samples: Float32Array): Float32Array {
  const isLoud = (at: number): boolean => levelDb(samples.subarray(at, at + EDGE_SAMPLES)) > EDGE_DB;
  let from = 0;
  while (from + EDGE_SAMPLES < samples.length && !isLoud(from)) from += EDGE_SAMPLES;
  let to = samples.length - EDGE_SAMPLES;
  while (to > from && !isLoud(to)) to -= EDGE_SAMPLES;
  return samples.slice(from, to + EDGE_SAMPLES);
}

function espeak(voice: string): VoiceProgram {
  const program = "espeak-ng";
  return {
    name: `${program} ${voice}`,
    packages: program,
    isThere: () => run(program, ["--version"]).then(Boolean, () => false),
    wavOf: (text) => run(program, ["-v", voice, "-s", "160", "--stdout", text]),
  };
}

function festival(voice: string, packages: string): VoiceProgram {
  const program = "festival";
  const isThere = async (): Promise<boolean> => {
    const list = await run(program, ["--pipe"], "(print (voice.list))").catch(() => Buffer.alloc(0));
    return list.toString().includes(voice);
  };
  const wavOf = (text: string): Promise<Uint8Array> => {
    const said = `(utt.synth (Utterance Text ${JSON.stringify(text)}))`;
    return run(program, ["--pipe"], `(voice_${voice}) (utt.save.wave ${said} "-" 'riff)`);
  };
  return { name: `${program} ${voice.replace("_diphone", "")}`, packages, isThere, wavOf };
}

const MOST_OUTPUT_BYTES = 16 * 1024 * 1024;

function run(program: string, args: readonly string[], input = ""): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { encoding: "buffer", maxBuffer: MOST_OUTPUT_BYTES } as const;
    const child = execFile(program, args, options, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout);
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}
