import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { msToSamples, PCM_RATE_HZ } from "../pcm.ts";
import { SpeechError } from "../speech-error.ts";
import { encodeWav } from "../wav/encode-wav.ts";
import type { SttVendor } from "./port.ts";
import { Slots } from "./slots.ts";
import { openUtteranceSession } from "./utterance-session.ts";

const VENDOR = "command";
const DEFAULT_TIMEOUT_MS = 20_000;
const MAX_OUTPUT_CHARS = 64 * 1024;
/** Recognisers cut off the ends of an utterance without a little silence around it. */
const PADDING = new Int16Array(msToSamples(200));

export interface CommandSttOptions {
  /** Program and arguments; `{wav}` stands for a 16 kHz WAV file, without it raw PCM goes to its input. */
  readonly commandLine: string;
  readonly timeoutMs?: number;
  /** Programs at once; more utterances wait. The machine's cores when absent. */
  readonly concurrency?: number;
}

/** A local program per utterance: pocketsphinx, whisper.cpp, vosk, anything that prints text. */
export function createCommandStt(options: CommandSttOptions): SttVendor {
  const slots = new Slots(options.concurrency ?? availableParallelism());
  const command = {
    argv: splitCommandLine(options.commandLine),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  };
  return {
    name: VENDOR,
    open: (session) =>
      openUtteranceSession(VENDOR, session, (samples, { signal }) =>
        slots.run(() => (signal.aborted ? Promise.resolve("") : recognise(samples, command, signal))),
      ),
  };
}

interface Command {
  readonly argv: readonly string[];
  readonly timeoutMs: number;
}

async function recognise(samples: Int16Array, command: Command, signal: AbortSignal): Promise<string> {
  const padded = new Int16Array(samples.length + 2 * PADDING.length);
  padded.set(samples, PADDING.length);
  if (!command.argv.some((word) => word.includes("{wav}"))) {
    return run(command.argv, { ...command, signal, input: new Uint8Array(padded.buffer) });
  }
  const directory = await mkdtemp(join(tmpdir(), "parley-stt-"));
  try {
    const path = join(directory, "utterance.wav");
    await writeFile(path, encodeWav(padded, PCM_RATE_HZ));
    const argv = command.argv.map((word) => word.replace("{wav}", path));
    return await run(argv, { ...command, signal, input: new Uint8Array() });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface RunOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly input: Uint8Array;
}

/** Runs a program to its end and gives what it printed. Its whole process group dies with it. */
function run(argv: readonly string[], { timeoutMs, signal, input }: RunOptions): Promise<string> {
  const [program = "", ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { detached: true, stdio: ["pipe", "pipe", "ignore"] });
    let output = "";
    let problem: string | undefined;
    const kill = (why: string): void => {
      problem ??= why;
      if (child.pid === undefined || child.exitCode !== null) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        child.kill("SIGKILL");
      }
    };
    const timer = setTimeout(() => kill(`no text within ${timeoutMs} ms`), timeoutMs);
    const onAbort = (): void => kill("closed");
    signal.addEventListener("abort", onAbort, { once: true });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length > MAX_OUTPUT_CHARS) kill("it prints without end");
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    const settle = (failure: string | undefined): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      if (failure === undefined) resolve(output.replace(/\s+/g, " ").trim());
      else reject(new SpeechError(VENDOR, failure, { retryable: !failure.includes("ENOENT") }));
    };
    child.on("error", (error) => settle(error.message));
    child.on("close", (code) =>
      settle(problem ?? (code === 0 ? undefined : `the program ended with ${code}`)),
    );
  });
}

/** Splits a command line at spaces, but not inside quotes. No shell is involved. */
export function splitCommandLine(line: string): string[] {
  const words = line.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  return words.map((word) => word.replace(/^(["'])(.*)\1$/s, "$2"));
}
