import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answers, freePort, tellRedis } from "./redis.ts";

/** As a production Redis has to be set up: what it has answered is on its disk. */
const SETTINGS = ["--save", "", "--appendonly", "yes", "--appendfsync", "always"];

/** A Redis of a test's own that keeps what it was told, and that can die, hang and come back. */
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

  /** Ends it as a power cut would. */
  async crash(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Starts it on what it had on disk. Resolves when it answers. */
  async restart(): Promise<void> {
    const where = ["--port", String(this.port), "--bind", "127.0.0.1", "--dir", this.#dir];
    const child = spawn("redis-server", [...where, ...SETTINGS], { stdio: "ignore" });
    this.#child = child;
    while (!(await answers(this.port))) {
      if (child.exitCode !== null) throw new Error(`redis-server did not start on port ${this.port}`);
    }
  }

  /** It hangs: connections stay open, nothing is answered. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  /** It is full from now on, under `noeviction`: reads are answered, writes refused. */
  async fill(): Promise<void> {
    await tellRedis(this.port, "CONFIG SET maxmemory 1");
  }

  async makeRoom(): Promise<void> {
    await tellRedis(this.port, "CONFIG SET maxmemory 0");
  }

  /** Somebody who may do everything, with a password; gone when it is lost. */
  async addUser(name: string, password: string): Promise<void> {
    await tellRedis(this.port, `ACL SETUSER ${name} on >${password} ~* &* +@all`);
  }

  /** A key is gone, as when its lifetime is over. */
  async drop(key: string): Promise<void> {
    await tellRedis(this.port, `DEL ${key}`);
  }

  /** It comes back with nothing. */
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
