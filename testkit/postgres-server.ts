import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { postgresBin } from "./needs.ts";
import { postgresAnswers } from "./postgres-answers.ts";
import { freePort } from "./redis.ts";

const run = promisify(execFile);

/** Postgres refuses to run as root. */
const AS_POSTGRES = ["--reuid=postgres", "--regid=postgres", "--init-groups", "--"];

/** A Postgres for one test, which can be stopped, crashed and restarted on its disk contents. */
export class PostgresServer {
  readonly port: number;
  readonly #dir: string;
  #child: ChildProcess | undefined;

  private constructor(port: number, dir: string) {
    this.port = port;
    this.#dir = dir;
  }

  static async start(): Promise<PostgresServer> {
    const dir = await makeDir();
    const server = new PostgresServer(await freePort(), dir);
    const settings = ["-D", dir, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"];
    const [program, ...args] = command("initdb", [...settings, "--no-sync"]);
    await run(program, args);
    await server.restart();
    return server;
  }

  /** Starts a standby that streams from this server. Resolves when it answers. */
  async startStandby(): Promise<PostgresServer> {
    const dir = await makeDir();
    const from = ["-h", "127.0.0.1", "-p", String(this.port), "-U", "postgres"];
    const how = ["--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync"];
    const [program, ...args] = command("pg_basebackup", ["-D", dir, ...from, ...how]);
    await run(program, args);
    const standby = new PostgresServer(await freePort(), dir);
    await standby.restart();
    return standby;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Starts Postgres. Resolves when it answers. */
  async restart(): Promise<void> {
    const where = ["-D", this.#dir, "-k", this.#dir, "-p", String(this.port)];
    const [program, ...args] = command("postgres", [...where, "-c", "listen_addresses=127.0.0.1"]);
    const child = spawn(program, args, { stdio: "ignore" });
    this.#child = child;
    while (!(await postgresAnswers(this.url))) {
      if (child.exitCode !== null) throw new Error(`postgres did not start on port ${this.port}`);
    }
  }

  /** Stops Postgres without waiting for its clients. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGINT");
    await once(child, "exit");
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#dir, { recursive: true, force: true });
  }
}

async function makeDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "parley-postgres-"));
  await chmod(dir, 0o700);
  if (isRoot()) execFileSync("chown", ["postgres:", dir]);
  return dir;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function command(program: string, args: readonly string[]): [string, ...string[]] {
  const path = join(postgresBin() ?? "", program);
  return isRoot() ? ["setpriv", ...AS_POSTGRES, path, ...args] : [path, ...args];
}
