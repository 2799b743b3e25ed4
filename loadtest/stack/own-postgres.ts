import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Child, startChild } from "./child.ts";

const run = promisify(execFile);
/** Postgres refuses to run as root. */
const AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"];
const READY = /database system is ready to accept connections/;

/** A Postgres server for one run. */
export interface OwnPostgres {
  /** URL of its maintenance database. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the newest server that Debian installed; undefined where there is none. Throws when it fails to start. */
export async function startOwnPostgres(): Promise<OwnPostgres | undefined> {
  const bin = globSync("/usr/lib/postgresql/*/bin")
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .at(-1);
  if (bin === undefined) return undefined;
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? AS_POSTGRES : [];
  const dir = await mkdtemp(join(tmpdir(), "parley-bench-postgres-"));
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true });
  let child: Child;
  const port = await freePort();
  try {
    await chmod(dir, 0o700);
    if (isRoot) await run("chown", ["postgres:", dir]);
    const [initdb = "", ...args] = [...as, join(bin, "initdb"), "-D", dir, "-U", "postgres", "--auth=trust"];
    await run(initdb, [...args, "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]);
    const [server = "", ...rest] = [...as, join(bin, "postgres"), "-D", dir, "-k", dir, "-p", String(port)];
    child = await startChild({
      command: [server, ...rest, "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200"],
      ready: READY,
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    close: async () => {
      await child.stop();
      await remove();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
