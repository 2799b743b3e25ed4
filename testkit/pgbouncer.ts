import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresAnswers } from "./postgres-answers.ts";
import { freePort } from "./redis.ts";

/** It refuses to run as root. */
const AS_POSTGRES = ["--reuid=postgres", "--regid=postgres", "--init-groups", "--"];

/** A PgBouncer for one test, with a few connections to Postgres; only after `needs("pgbouncer")`. */
export class PgBouncer {
  readonly url: string;
  readonly #dir: string;
  readonly #child: ChildProcess;

  private constructor(parts: { url: string; dir: string; child: ChildProcess }) {
    this.url = parts.url;
    this.#dir = parts.dir;
    this.#child = parts.child;
  }

  /** Pools transactions to the database at `url`, with `connections` to it, and otherwise as Debian installs it. */
  static async before(url: string, { connections }: { readonly connections: number }): Promise<PgBouncer> {
    const { hostname, port, pathname, username, password } = new URL(url);
    const dir = await mkdtemp(join(tmpdir(), "parley-pgbouncer-"));
    const listenPort = await freePort();
    const database = [
      `host=${hostname} port=${port || "5432"} dbname=${pathname.slice(1)} user=${username}`,
      ...(password === "" ? [] : [`password=${decodeURIComponent(password)}`]),
    ].join(" ");
    const settings = [
      "[databases]",
      `pooled = ${database}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${listenPort}`,
      "unix_socket_dir =",
      "auth_type = any",
      "pool_mode = transaction",
      `default_pool_size = ${connections}`,
      "logfile =",
    ];
    const file = join(dir, "pgbouncer.ini");
    await writeFile(file, `${settings.join("\n")}\n`);
    await chmod(dir, 0o755);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) execFileSync("chown", ["-R", "postgres:", dir]);
    const [program = "", ...args] = [...(isRoot ? ["setpriv", ...AS_POSTGRES] : []), "pgbouncer", "-q", file];
    const child = spawn(program, args, { stdio: "ignore" });
    const pooler = new PgBouncer({ url: `postgres://parley@127.0.0.1:${listenPort}/pooled`, dir, child });
    while (!(await postgresAnswers(pooler.url))) {
      if (child.exitCode !== null) throw new Error(`pgbouncer did not start on port ${listenPort}`);
    }
    return pooler;
  }

  async remove(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      // Newer versions wait for their clients at anything less.
      this.#child.kill("SIGKILL");
      await once(this.#child, "exit");
    }
    await rm(this.#dir, { recursive: true, force: true });
  }
}
