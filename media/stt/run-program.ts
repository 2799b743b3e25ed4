import { type ChildProcess, spawn } from "node:child_process";
import type { Clock } from "@parley/shared/clock.ts";
import { SpeechError } from "../speech-error.ts";

/** A spoken minute is a thousand characters; output this long is no transcript. */
const MAX_OUTPUT_CHARS = 64 * 1024;
/** Error codes of a program that is missing or may not be run. */
const INCURABLE: ReadonlySet<string> = new Set(["ENOENT", "EACCES", "ENOEXEC"]);

export interface RunProgramOptions {
  readonly vendor: string;
  readonly argv: readonly string[];
  /** Written to the program's standard input. */
  readonly input: Uint8Array;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Runs a program to its end and returns what it printed. The program gets its own process group, which is killed at the
 * deadline, on endless output, and when `signal` is aborted. Throws `SpeechError`, which is not retryable if the
 * program does not exist.
 */
export function runProgram(options: RunProgramOptions): Promise<string> {
  const { vendor, argv, input, timeoutMs, clock, signal } = options;
  const [program = "", ...args] = argv;
  return new Promise((resolve, reject) => {
    let output = "";
    let failure: SpeechError | undefined;
    const child = spawn(program, args, { detached: true, stdio: ["pipe", "pipe", "ignore"] });
    const stop = (why: string): void => {
      failure ??= new SpeechError(vendor, why, { retryable: true });
      killGroup(child);
    };
    const onAbort = (): void => stop("closed");
    const cancelDeadline = clock.after(timeoutMs, () => stop(`no text within ${timeoutMs} ms`));
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    const settle = (): void => {
      cancelDeadline();
      signal.removeEventListener("abort", onAbort);
      killGroup(child);
      if (failure) reject(failure);
      else resolve(output);
    };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length <= MAX_OUTPUT_CHARS) return;
      child.stdout.destroy();
      stop("the program prints without end");
    });
    // A program that does not read its input to the end may still have recognized something.
    child.stdin.on("error", () => undefined).end(input);
    child.on("error", (error) => {
      const code = "code" in error ? String(error.code) : error.name;
      const retryable = !INCURABLE.has(code);
      failure ??= new SpeechError(vendor, `the program cannot be run (${code})`, { retryable });
      settle();
    });
    child.on("close", (exitCode, exitSignal) => {
      if (exitCode !== 0) {
        const how = `the program ended with ${exitSignal ?? exitCode}`;
        failure ??= new SpeechError(vendor, how, { retryable: true });
      }
      settle();
    });
  });
}

/** Kills the program and everything it started. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // No process of the group is left; on some systems the program itself may remain as a zombie.
    child.kill("SIGKILL");
  }
}
