import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const START_TIMEOUT_MS = 60_000;
/** Output kept for the error message of a process that failed to start. */
const KEPT_OUTPUT_CHARS = 4_000;

export interface ChildOptions {
  /** Program and arguments. */
  readonly command: readonly [string, ...string[]];
  /** Added to PATH and HOME; no other environment is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** The CPU it may run on; any when absent. Linux only (`taskset`). */
  readonly cpu?: number | undefined;
  /** Matches its output once ready; the groups are returned. */
  readonly ready: RegExp;
}

/** A process the load test started and will stop. */
export interface Child {
  readonly pid: number;
  /** Groups of the `ready` match. */
  readonly ready: readonly string[];
  readonly process: ChildProcess;
  /** Sends SIGTERM and waits for the end; returns the exit code. */
  stop(): Promise<number | null>;
}

/** Starts a process in the repository's root and waits until it reports being ready. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { PATH, HOME } = process.env;
  const [program, ...args] = pinned(options);
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { PATH, HOME, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ready = await untilReady(child, options);
  const endWithUs = (): void => void child.kill("SIGKILL");
  process.once("exit", endWithUs);
  return {
    pid: child.pid ?? 0,
    ready,
    process: child,
    stop: async () => {
      process.removeListener("exit", endWithUs);
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill("SIGTERM");
      await once(child, "exit");
      return child.exitCode;
    },
  };
}

function pinned({ command, cpu }: ChildOptions): readonly [string, ...string[]] {
  if (cpu === undefined || process.platform !== "linux") return command;
  return ["taskset", "--cpu-list", String(cpu), ...command];
}

function untilReady(child: ChildProcess, { command, ready }: ChildOptions): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    let said = "";
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new Error(`${command.join(" ")} ${why}: ${said.slice(-KEPT_OUTPUT_CHARS)}`));
    };
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      fail("was not ready in time");
    }, START_TIMEOUT_MS);
    const listen = (chunk: Buffer): void => {
      said = (said + chunk.toString("utf8")).slice(-KEPT_OUTPUT_CHARS);
      const match = ready.exec(said);
      if (!match) return;
      clearTimeout(timer);
      // Keeps draining output: a full pipe would block the process.
      child.stdout?.removeAllListeners("data").resume();
      child.stderr?.removeAllListeners("data").resume();
      resolve(match.slice(1));
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("error", (error) => fail(`cannot be started (${error.message})`));
    child.once("exit", (code) => fail(`ended with ${code}`));
  });
}
