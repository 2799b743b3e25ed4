import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answers, freePort, tellRedis } from "./redis.ts";

/** Settings of a production Redis: whatever it has acknowledged is on disk. */
const SETTINGS = ["--save", "", "--appendonly", "yes", "--appendfsync", "always"];

/** A durable Redis for one test, which can crash, hang and restart. */
export class DurableRedis {
  readonly port: number;
  readonly #dir: string;
  #child: ChildProcess | undefined;

  private constructor(port: number, dir: string) {
    this.port = port;
    this.#dir = dir;
  }

  static async start(): Promise<DurableRedis> {
    const dir = await mkdtemp(join(tmpdir(), "parley-durable-redis-"));
    const redis = new DurableRedis(await freePort(), dir);
    await redis.restart();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Ends Redis like a power cut. */
  async crash(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Starts Redis on its disk contents. Resolves when it answers. */
  async restart(): Promise<void> {
    const where = ["--port", String(this.port), "--bind", "127.0.0.1", "--dir", this.#dir];
    const child = spawn("redis-server", [...where, ...SETTINGS], { stdio: "ignore" });
    this.#child = child;
    while (!(await answers(this.port))) {
      if (child.exitCode !== null) throw new Error(`redis-server did not start on port ${this.port}`);
    }
  }

  /** Makes Redis hang: connections stay open, nothing is answered. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  /** Fills Redis under `noeviction`: reads are answered, writes refused. */
  async fill(): Promise<void> {
    await tellRedis(this.port, "CONFIG SET maxmemory 1");
  }

  async makeRoom(): Promise<void> {
    await tellRedis(this.port, "CONFIG SET maxmemory 0");
  }

  /** Adds a user with all permissions and a password; lost with the data. */
  async addUser(name: string, password: string): Promise<void> {
    await tellRedis(this.port, `ACL SETUSER ${name} on >${password} ~* &* +@all`);
  }

  /** Removes a key, as if it had expired. */
  async drop(key: string): Promise<void> {
    await tellRedis(this.port, `DEL ${key}`);
  }

  /** Restarts Redis empty. */
  async lose(): Promise<void> {
    await this.crash();
    await rm(this.#dir, { recursive: true, force: true });
    await mkdir(this.#dir);
    await this.restart();
  }

  async remove(): Promise<void> {
    await this.#end("SIGKILL");
    await rm(this.#dir, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }
}
