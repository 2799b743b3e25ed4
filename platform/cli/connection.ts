import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "./api-call.ts";
import { CliError } from "./cli-error.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Command-line options that locate Parley. */
interface Given {
  readonly api?: string | undefined;
  readonly key?: string | undefined;
}

const DEFAULT_API = "http://localhost:8080";

/** Returns Parley's address without a trailing slash. Throws `CliError`. */
export function addressOf({ api }: Given, env: Env): string {
  const named = api ?? (env.PARLEY_URL || undefined);
  const name = api === undefined ? "PARLEY_URL" : "--api";
  const url = urlOf(name, named ?? readDemo(env)?.baseUrl ?? DEFAULT_API);
  return url.href.replace(/\/+$/, "");
}

/** Resolves the address and the key. Throws `CliError`. */
export function connectionOf(given: Given, env: Env): Connection {
  const api = addressOf(given, env);
  const demo = readDemo(env);
  const isNamed = given.api !== undefined || Boolean(env.PARLEY_URL);
  // The demo's key is never sent to any other address.
  const demoKey = !isNamed || api === demo?.baseUrl ? demo?.apiKey : undefined;
  const key = given.key ?? (env.PARLEY_API_KEY || demoKey);
  if (key === undefined || key === "") {
    throw new CliError(
      "There is no API key: set PARLEY_API_KEY to one with role owner, admin or developer (Settings, API keys).",
    );
  }
  if (!/^[!-~]+$/.test(key)) throw new CliError("The API key has invalid characters. Copy it again.");
  return { api, key };
}

/** A person's account, or the access token of a signed-in person. */
export type Person = { readonly token: string } | { readonly email: string; readonly password: string };

/**
 * The person to act as where keys are not accepted: the account named in the environment, or the demo's.
 * Throws `CliError`.
 */
export function personOf(given: Given, env: Env): Person {
  const { PARLEY_TOKEN: token, PARLEY_EMAIL: email, PARLEY_PASSWORD: password } = env;
  if (token) return { token };
  if (email && password) return { email, password };
  const api = addressOf(given, env);
  const demo = readDemo(env);
  const isNamed = given.api !== undefined || Boolean(env.PARLEY_URL);
  if (demo?.owner && (!isNamed || api === demo.baseUrl)) return demo.owner;
  throw new CliError(
    "Rehearsals need a user account: set PARLEY_EMAIL and PARLEY_PASSWORD to an account (an owner, admin or developer), or PARLEY_TOKEN to its access token.",
  );
}

/** Parses a web server's address. Throws `CliError` for anything else. */
export function urlOf(name: string, text: string): URL {
  try {
    const url = new URL(text);
    if (url.protocol === "http:" || url.protocol === "https:") return url;
  } catch {
    // Reported below, like an address of another kind.
  }
  throw new CliError(
    `${name} needs an address such as http://localhost:3000/hook, not ${JSON.stringify(text)}.`,
  );
}

interface Demo {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly owner: { readonly email: string; readonly password: string } | undefined;
}

/** Reads what `npm start` left for scripts and people. */
function readDemo(env: Env): Demo | undefined {
  try {
    const written = readFileSync(join(env.DATA_DIR || "data", "demo.json"), "utf8");
    const { baseUrl, apiKey, owner } = JSON.parse(written);
    if (typeof baseUrl !== "string" || typeof apiKey !== "string") return undefined;
    const hasOwner = typeof owner?.email === "string" && typeof owner?.password === "string";
    return { baseUrl, apiKey, owner: hasOwner ? owner : undefined };
  } catch {
    return undefined;
  }
}
