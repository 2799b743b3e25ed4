import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DemoFile, demoFileSchema } from "@parley/control-api/demo/seed.ts";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The whole product as `npm start` runs it, in a separate process and data directory. */
export class TestProduct {
  readonly demo: DemoFile;
  readonly dataDir: string;
  /** Standard output and error so far. */
  readonly said: () => string;
  readonly #child: ChildProcess;

  private constructor(parts: { demo: DemoFile; dataDir: string; said: () => string; child: ChildProcess }) {
    this.demo = parts.demo;
    this.dataDir = parts.dataDir;
    this.said = parts.said;
    this.#child = parts.child;
  }

  static async start(env: Record<string, string> = {}, dataDir?: string): Promise<TestProduct> {
    const directory = dataDir ?? (await mkdtemp(join(tmpdir(), "parley-product-")));
    const child = spawn(process.execPath, ["scripts/start.ts"], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        CONTROL_API_PORT: "0",
        APP_FRAMES_PORT: "0",
        GATEWAY_PORT: "0",
        BRAIN_PORT: "0",
        DATA_DIR: directory,
        FRONT_END: "false",
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    const ready = new Promise<void>((resolve, reject) => {
      const listen = (chunk: Buffer): void => {
        said += chunk.toString("utf8");
        if (said.includes("Ctrl-C ends it.")) resolve();
      };
      child.stdout.on("data", listen);
      child.stderr.on("data", listen);
      child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${said}`)));
    });
    await ready;
    const demo = demoFileSchema.parse(JSON.parse(await readFile(join(directory, "demo.json"), "utf8")));
    return new TestProduct({ demo, dataDir: directory, said: () => said, child });
  }

  /** Sends one request with the demo key. */
  async call(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(this.demo.baseUrl + path, {
      method,
      headers: { "x-api-key": this.demo.apiKey, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Sends SIGTERM; returns the exit code. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    this.#child.kill("SIGTERM");
    await once(this.#child, "exit");
    return this.#child.exitCode;
  }

  async remove(): Promise<void> {
    if (this.#child.exitCode === null) {
      this.#child.kill("SIGKILL");
      await once(this.#child, "exit");
    }
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
