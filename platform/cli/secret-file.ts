import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Env } from "./connection.ts";

/** A signing secret in Standard Webhooks form: 24 to 64 bytes in base64. */
export const SIGNING_SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
const SECRET_BYTES = 32;

/** This machine's secret for a Parley; `problem` says why it could not be stored. */
export interface KeptSecret {
  readonly secret: string;
  readonly problem?: string;
}

/**
 * Returns the signing secret of this machine's listeners at `api`, the same at every start. Kept in `parley/`
 * of the user's configuration (XDG_CONFIG_HOME), readable by that user alone, and created when missing.
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
    // A concurrent start may have written it first.
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

/** Writes atomically; leaves a valid existing secret alone. */
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
