import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";
import { builtServer, COMPILED_CODE, type ServerScript } from "./built-servers.ts";
import { ROOT } from "./product.ts";

const lineSchema = z.looseObject({ msg: z.string() });
export type LogLine = z.infer<typeof lineSchema>;

export interface LaunchOptions {
  readonly env: Record<string, string>;
  /** The line it logs when ready. */
  readonly readyLine: string;
  /** Largest file it may write (RLIMIT_FSIZE), to simulate a full disk. No limit when absent. */
  readonly maxFileKib?: number;
  /** Limit of file descriptors (RLIMIT_NOFILE). The machine's limit when absent. */
  readonly maxOpenFiles?: number;
}

/** One of the product's server processes, as an operator runs it, except that its sources are one file. */
export class ServerProcess {
  /** Log lines so far. */
  readonly lines: LogLine[] = [];
  readonly #child: ChildProcess;
  #rest = "";
  #said = "";

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on("data", (chunk: Buffer) => this.#listen(chunk.toString("utf8")));
    child.stderr?.on("data", (chunk: Buffer) => {
      this.#said += chunk.toString("utf8");
    });
  }

  /** Starts `script` and waits for its ready line. */
  static async start(
    script: ServerScript,
    options: LaunchOptions,
  ): Promise<{ server: ServerProcess; ready: LogLine }> {
    const { maxFileKib, maxOpenFiles } = options;
    const limit = [
      ...(maxFileKib === undefined ? [] : [`ulimit -f ${maxFileKib}; `]),
      ...(maxOpenFiles === undefined ? [] : [`ulimit -n ${maxOpenFiles}; `]),
    ].join("");
    const file = await builtServer(script);
    // A process that may write no large file does not write compiled code either.
    const compiled = maxFileKib === undefined ? { NODE_COMPILE_CACHE: COMPILED_CODE } : {};
    // In bash the limit's unit is 1 KiB; `exec` replaces the shell between test and server.
    const child = spawn("bash", ["-c", `${limit}exec "$@"`, "bash", process.execPath, file], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...compiled, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const server = new ServerProcess(child);
    return { server, ready: await server.#untilLogged(options.readyLine) };
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Lines with this message. */
  logged(msg: string): readonly LogLine[] {
    return this.lines.filter((line) => line.msg === msg);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Resolves to the exit state once the process has ended. */
  async untilExit(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    const isOver = (): boolean => this.#child.exitCode !== null || this.#child.signalCode !== null;
    if (!isOver()) await once(this.#child, "exit");
    return { code: this.#child.exitCode, signal: this.#child.signalCode };
  }

  /** Kills the process like a crash, without cleanup. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.untilExit();
  }

  async #untilLogged(msg: string): Promise<LogLine> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const line = this.logged(msg)[0];
        if (!line) return;
        this.#child.stdout?.off("data", look);
        resolve(line);
      };
      this.#child.stdout?.on("data", look);
      this.#child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${this.#said}`)));
    });
  }

  #listen(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.lines.push(lineSchema.parse(JSON.parse(line)));
  }
}
