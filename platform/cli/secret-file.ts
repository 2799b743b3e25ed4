import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Env } from "./connection.ts";

/** What signs deliveries, as Standard Webhooks writes it: 24 to 64 bytes in base64. */
export const SIGNING_SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
const SECRET_BYTES = 32;

/** The secret of this machine for a Parley, and why it could not be kept, if it could not. */
export interface KeptSecret {
  readonly secret: string;
  readonly problem?: string;
}

/**
 * The signing secret that listeners of this machine have at `api`, the same at every start: in `parley/` of the user's
 * configuration (XDG_CONFIG_HOME), readable by them alone. It is made when there is none.
 */
export function secretOf(api: string, env: Env): KeptSecret {
  const folder = join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "parley");
  const file = join(folder, `${encodeURIComponent(api)}.secret`);
  const kept = read(file);
  if (kept !== undefined) return { secret: kept };
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    write(file, secret);
    // Another start may have been first.
    return { secret: read(file) ?? secret };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      secret,
      problem: `The signing secret could not be saved (${reason}). The next start has another one.`,
    };
  }
}

function read(file: string): string | undefined {
  try {
    const text = readFileSync(file, "utf8").trim();
    return SIGNING_SECRET.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all; leaves a good one that is there. */
function write(file: string, secret: string): void {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${secret}\n`, { mode: 0o600 });
  try {
    linkSync(own, file);
  } catch (error) {
    if (read(file) === undefined) throw error;
  } finally {
    rmSync(own, { force: true });
  }
}
