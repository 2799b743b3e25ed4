import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Histogram } from "../report/histogram.ts";
import type { FromCallers, ToCallers } from "./messages.ts";
import type { CallerScript } from "./script.ts";
import { Tally } from "./tally.ts";

const PROGRAM = fileURLToPath(new URL("./caller-process.ts", import.meta.url));
/** Callers per process; more need another process. */
const CALLERS_PER_PROCESS = 500;
const HANG_UP_TIMEOUT_MS = 15_000;

export interface FleetOptions {
  /** How many calls the fleet will make. */
  readonly calls: number;
  /** The CPU the callers run on. */
  readonly cpu?: number | undefined;
}

export interface FleetReport {
  readonly tally: Tally;
  readonly lag: Histogram;
}

/** Synthetic callers in separate processes. */
export class Fleet {
  readonly #children: readonly ChildProcess[];
  readonly #live: number[];
  #called = 0;

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children;
    this.#live = children.map(() => 0);
    for (const [i, child] of children.entries()) {
      child.on("message", (message: FromCallers) => {
        if (message.type === "progress") this.#live[i] = message.live;
      });
    }
  }

  static async start({ calls, cpu }: FleetOptions): Promise<Fleet> {
    const count = Math.max(1, Math.ceil(calls / CALLERS_PER_PROCESS));
    const children = Array.from({ length: count }, () => startProcess(cpu));
    await Promise.all(children.map((child) => nextOf(child, "ready")));
    return new Fleet(children);
  }

  /** Calls held, at most one second old. */
  get live(): number {
    return this.#live.reduce((sum, live) => sum + live, 0);
  }

  /** Starts one more caller. */
  call(url: string, script: CallerScript): void {
    const child = this.#children[this.#called++ % this.#children.length];
    if (child) tell(child, { type: "call", url, script });
  }

  /** Clears the counts. */
  measure(): void {
    for (const child of this.#children) tell(child, { type: "measure" });
  }

  /** The counts since `measure`. */
  async report(): Promise<FleetReport> {
    const tally = new Tally();
    const lag = new Histogram();
    const reports = this.#children.map(async (child) => {
      const answer = nextOf(child, "report");
      tell(child, { type: "report" });
      const report = await answer;
      tally.add(report.tally);
      lag.merge(report.lag);
    });
    await Promise.all(reports);
    return { tally, lag };
  }

  /** Hangs up every call and waits a while for them to end. */
  async hangUp(): Promise<void> {
    const patience = AbortSignal.timeout(HANG_UP_TIMEOUT_MS);
    const gone = this.#children.map((child) => {
      const answer = nextOf(child, "all-gone");
      tell(child, { type: "hang-up" });
      return answer;
    });
    await Promise.race([Promise.all(gone), once(patience, "abort")]);
  }

  /** Hangs up and ends the processes. */
  async close(): Promise<void> {
    await this.hangUp();
    for (const child of this.#children) {
      child.disconnect();
      if (child.exitCode === null) await once(child, "exit");
    }
  }
}

function startProcess(cpu: number | undefined): ChildProcess {
  const command = [process.execPath, PROGRAM];
  const pinned =
    cpu === undefined || process.platform !== "linux"
      ? command
      : ["taskset", "--cpu-list", String(cpu), ...command];
  const [program = "", ...args] = pinned;
  return spawn(program, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
}

function tell(child: ChildProcess, message: ToCallers): void {
  child.send(message);
}

function nextOf<T extends FromCallers["type"]>(
  child: ChildProcess,
  type: T,
): Promise<Extract<FromCallers, { type: T }>> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`a process of callers ended with ${code}`));
    const listen = (message: FromCallers): void => {
      if (message.type !== type) return;
      child.removeListener("message", listen);
      child.removeListener("exit", onExit);
      resolve(message as Extract<FromCallers, { type: T }>);
    };
    child.on("message", listen);
    child.once("exit", onExit);
  });
}
