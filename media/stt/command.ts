import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { msToSamples, PCM_RATE_HZ } from "../pcm.ts";
import { encodeWav } from "../wav/encode-wav.ts";
import { splitCommandLine } from "./command-line.ts";
import type { SttVendor } from "./port.ts";
import { runProgram } from "./run-program.ts";
import { Slots } from "./slots.ts";
import { openUtteranceSession } from "./utterance-session.ts";

const VENDOR = "command";
const WAV_PLACEHOLDER = "{wav}";
const DEFAULT_TIMEOUT_MS = 20_000;
/** Utterances that may wait per core; any more would be recognized too late to be answered. */
const MAX_WAITING_PER_SLOT = 8;
/**
 * Recognizers cut off the ends of an utterance without some silence around it: pocketsphinx got 85 % of the words of
 * six sentences with none, and 94 % with 100 ms or more.
 */
const PADDING_SAMPLES = msToSamples(200);

export interface CommandSttOptions {
  /** Program and arguments; `{wav}` stands for a 16 kHz WAV file, without which raw PCM goes to standard input. */
  readonly commandLine: string;
  readonly timeoutMs?: number;
  /** Programs at once; more utterances wait. Defaults to the machine's number of cores. */
  readonly concurrency?: number;
  readonly clock?: Clock;
}

/**
 * Runs a local program per utterance: pocketsphinx, whisper.cpp, vosk, anything that prints text. Throws `AppError` for
 * a command line that cannot be parsed.
 */
export function createCommandStt(options: CommandSttOptions): SttVendor {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, clock = systemClock } = options;
  const max = options.concurrency ?? availableParallelism();
  const slots = new Slots({ vendor: VENDOR, max, maxWaiting: max * MAX_WAITING_PER_SLOT });
  const argv = splitCommandLine(options.commandLine);
  const wantsFile = argv.some((word) => word.includes(WAV_PLACEHOLDER));
  const recognize = async (samples: Int16Array, signal: AbortSignal): Promise<string> => {
    const run = { vendor: VENDOR, timeoutMs, clock, signal };
    const input = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    if (!wantsFile) return runProgram({ ...run, argv, input });
    return withWavFile(samples, (path) => {
      const words = argv.map((word) => word.replaceAll(WAV_PLACEHOLDER, path));
      return runProgram({ ...run, argv: words, input: new Uint8Array() });
    });
  };
  return {
    name: VENDOR,
    open: (session) =>
      openUtteranceSession(
        VENDOR,
        { ...session, answersWithinMs: timeoutMs },
        async (samples, { signal }) => {
          const text = await slots.run(() => recognize(padded(samples), signal), signal);
          return text.replace(/\s+/g, " ");
        },
      ),
  };
}

function padded(samples: Int16Array): Int16Array {
  const whole = new Int16Array(samples.length + 2 * PADDING_SAMPLES);
  whole.set(samples, PADDING_SAMPLES);
  return whole;
}

async function withWavFile<T>(samples: Int16Array, use: (path: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "parley-stt-"));
  try {
    const path = join(directory, "utterance.wav");
    await writeFile(path, encodeWav(samples, PCM_RATE_HZ));
    return await use(path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
