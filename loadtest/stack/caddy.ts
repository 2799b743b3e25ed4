import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChild } from "./child.ts";

const CADDYFILE = fileURLToPath(new URL("../../ops/caddy/Caddyfile", import.meta.url));
/** Since when Caddy knows everything in the file. */
const KNOWS_ALL_SINCE = [2, 7, 0] as const;

/** The product's load balancer on the loopback. */
export interface LoadBalancer {
  /** `http://host:port`. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts the Caddy of this machine with the product's own Caddyfile on this port of the loopback. `edited` says where the
 * upstreams are.
 */
export async function startLoadBalancer(
  port: number,
  edited: (caddyfile: string) => string,
): Promise<LoadBalancer> {
  const folder = await mkdtemp(join(tmpdir(), "parley-caddy-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const file = join(folder, "Caddyfile");
  const text = edited(await readFile(CADDYFILE, "utf8"));
  const known = isCaddySince(...KNOWS_ALL_SINCE) ? text : text.replace(/^\s*stream_close_delay.*$/m, "");
  await writeFile(file, `{\n\tadmin off\n}\n${known}`);
  try {
    const child = await startChild({
      command: ["caddy", "run", "--config", file, "--adapter", "caddyfile"],
      env: {
        HOME: folder,
        PARLEY_HTTP: "http",
        PARLEY_DOMAIN: `127.0.0.1:${port}`,
        PARLEY_APPS_DOMAIN: "localhost:0",
      },
      ready: /serving initial configuration/,
    });
    const stop = async (): Promise<void> => {
      await child.stop();
      await remove();
    };
    return { url: `http://127.0.0.1:${port}`, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Whether the Caddy of this machine, which may be older than the image of docker-compose.yml, is this version or newer. */
export function isCaddySince(...version: readonly number[]): boolean {
  const said = execFileSync("caddy", ["version"], { encoding: "utf8" });
  const own = (/(\d+)\.(\d+)\.(\d+)/.exec(said) ?? []).slice(1).map(Number);
  const at = version.findIndex((part, i) => part !== own[i]);
  return at === -1 || (own[at] ?? 0) > (version[at] ?? 0);
}
