import { isIP } from "node:net";
import { parseUrl } from "@parley/shared/urls.ts";
import { z } from "zod";

/** The database to connect to, and the user. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

const DEFAULT_PORT = 5432;
const HOST = /^[a-z0-9]([a-z0-9_.-]{0,251}[a-z0-9])?$/;

/** A name or an address, never a path, which would be a socket of this machine. */
export const host = z
  .string()
  .trim()
  .overwrite((value) => plain(value.toLowerCase().replace(/^\[(.*)\]$/, "$1")))
  .refine((value) => HOST.test(value) || isIP(value) !== 0, "must be the name of a host, without a scheme");

export const port = z
  .string()
  .trim()
  .regex(/^[1-9]\d{0,4}$/, "must be a number up to 65535")
  .refine((value) => Number(value) <= 65_535, "must be a number up to 65535");

export const address = z
  .string()
  .trim()
  .max(4_096)
  .refine(
    (value) => parsed(value) !== undefined,
    "must be postgres://user:password@host:5432/database, without anything after it",
  );

/** Normalizes an address, however it was written (127.1). */
function plain(name: string): string {
  const url = HOST.test(name) ? parseUrl(`http://${name}`) : undefined;
  return url?.hostname ?? name;
}

/** The target in either form of credentials. */
export function targetOf(credentials: Readonly<Record<string, string>>): Target {
  const byAddress = parsed(credentials.address ?? "");
  if (byAddress) return byAddress;
  return {
    host: credentials.host ?? "",
    port: Number(credentials.port ?? DEFAULT_PORT),
    database: credentials.database ?? "",
    user: credentials.user ?? "",
    password: credentials.password ?? "",
  };
}

function parsed(value: string): Target | undefined {
  const url = parseUrl(value);
  if (!url) return undefined;
  const isPlain = /^postgres(ql)?:$/.test(url.protocol) && url.hash === "" && isOnlyTls(url.searchParams);
  const name = host.safeParse(decoded(url.hostname));
  const target = {
    host: name.data ?? "",
    port: url.port === "" ? DEFAULT_PORT : Number(url.port),
    database: decoded(url.pathname.slice(1)),
    user: decoded(url.username),
    password: decoded(url.password),
  };
  const isWhole = [target.database, target.user, target.password].every(
    (part) => part !== "" && !/\p{Cc}/u.test(part),
  );
  return isPlain && name.success && isWhole && target.port > 0 ? target : undefined;
}

/** Allows `sslmode`, which copied addresses often contain; connections are encrypted and verified either way. */
function isOnlyTls(parameters: URLSearchParams): boolean {
  return [...parameters].every(
    ([key, value]) => key === "sslmode" && /^(require|verify-(ca|full))$/.test(value),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
