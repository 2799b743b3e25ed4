import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ROOT } from "./product.ts";

const MAIN = join(ROOT, "platform/cli/main.ts");

/** The `parley` command as a user runs it, in its own directory, until the test ends. */
export class ParleyCommand {
  /** Standard output and standard error so far. */
  said = "";
  complained = "";
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on("data", (chunk: Buffer) => {
      this.said += chunk.toString("utf8");
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      this.complained += chunk.toString("utf8");
    });
  }

  static async start(
    args: readonly string[],
    { env = {}, demo }: { env?: Record<string, string>; demo?: Record<string, string> } = {},
  ): Promise<ParleyCommand> {
    const cwd = await mkdtemp(join(tmpdir(), "parley-command-"));
    if (demo) {
      await mkdir(join(cwd, "data"));
      await writeFile(join(cwd, "data/demo.json"), JSON.stringify(demo));
    }
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd,
      env: { PATH: process.env.PATH, XDG_CONFIG_HOME: cwd, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await rm(cwd, { recursive: true, force: true });
    });
    return new ParleyCommand(child);
  }

  /** Runs a command that ends by itself. */
  static async run(...given: Parameters<typeof ParleyCommand.start>): Promise<{
    code: number | null;
    said: string;
    complained: string;
  }> {
    const command = await ParleyCommand.start(...given);
    const code = await command.untilExit();
    return { code, said: command.said, complained: command.complained };
  }

  lines(): string[] {
    return this.said.split("\n").filter((line) => line !== "");
  }

  /** The signing secret it printed last. */
  secret(): string | undefined {
    return this.said.match(/whsec_[A-Za-z0-9+/]+=*/g)?.at(-1);
  }

  /** Sends Ctrl-C, or SIGHUP: the window was closed. */
  interrupt(signal: "SIGINT" | "SIGHUP" = "SIGINT"): void {
    this.#child.kill(signal);
  }

  /** Resolves to the exit code when the command has ended. */
  async untilExit(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, "close");
    return this.#child.exitCode;
  }
}
