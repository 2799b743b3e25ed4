import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "./product.ts";

/** A program run as if in a terminal: its output is read by line, and it takes typed input and Ctrl-C. */
export class ByHand {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: string[] = [];
  #rest = "";
  #stderr = "";

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.stdout.on("data", (chunk: Buffer) => {
      const lines = (this.#rest + chunk.toString("utf8")).split("\n");
      this.#rest = lines.pop() ?? "";
      this.#lines.push(...lines);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr += chunk.toString("utf8");
    });
  }

  /** `npx node <script> <args>`; `cwd` is the repository's root when absent. */
  static start(script: string, args: readonly string[] = [], cwd = ROOT): ByHand {
    return new ByHand(spawn(process.execPath, [join(ROOT, script), ...args], { cwd }));
  }

  /** Lines printed so far. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** The first line with this prefix, once printed. */
  async until(start: string): Promise<string> {
    for (;;) {
      const line = this.#lines.find((one) => one.startsWith(start));
      if (line !== undefined) return line;
      if (this.#child.exitCode !== null) throw new Error(`no line begins with ${start}: ${this.#stderr}`);
      await Promise.race([once(this.#child.stdout, "data"), once(this.#child, "close")]);
    }
  }

  type(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Exit state and stderr, once the program has ended. */
  async untilExit(): Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) await once(this.#child, "close");
    return { code: this.#child.exitCode, signal: this.#child.signalCode, stderr: this.#stderr };
  }

  /** Cleans up after a failed test. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }
}
