export interface RedisHost {
  readonly host: string;
  readonly port: number;
}

/** The target of a Redis URL: one server, or the first hosts of several. */
export type RedisTarget =
  | { readonly kind: "single"; readonly url: string }
  | {
      readonly kind: "cluster" | "sentinel";
      readonly hosts: readonly RedisHost[];
      /** The name by which sentinels know the master; meaningless for a cluster. */
      readonly masterName: string;
      readonly auth: { readonly username?: string; readonly password?: string };
    };

const DEFAULT_PORTS = { cluster: 6379, sentinel: 26379 } as const;
const DEFAULT_MASTER = "mymaster";
const SEVERAL = /^redis\+(cluster|sentinel):\/\/(?:([^@/]*)@)?([^/?#]+)(?:\/([^/?#]*))?$/;
/** `host`, `host:port`, `[v6]`, `[v6]:port`. */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/i;

/**
 * Parses `redis://`, `rediss://`, `redis+cluster://user:password@h1:p,h2:p`, and `redis+sentinel://h1:p,h2:p/master`;
 * undefined for anything else.
 */
export function parseRedisUrl(text: string): RedisTarget | undefined {
  if (/^rediss?:\/\//.test(text))
    return URL.parse(text)?.hostname ? { kind: "single", url: text } : undefined;
  const [, scheme, credentials = "", hostList = "", masterName] = SEVERAL.exec(text) ?? [];
  if (scheme !== "cluster" && scheme !== "sentinel") return undefined;
  const hosts = hostList.split(",").map((host) => parseHost(host, DEFAULT_PORTS[scheme]));
  const auth = parseCredentials(credentials);
  if (auth === undefined || !hosts.every((host) => host !== undefined)) return undefined;
  return { kind: scheme, hosts, masterName: masterName || DEFAULT_MASTER, auth };
}

function parseHost(text: string, defaultPort: number): RedisHost | undefined {
  const match = HOST.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? defaultPort : Number(match[3]);
  return host === undefined || port > 65_535 ? undefined : { host, port };
}

function parseCredentials(text: string): { username?: string; password?: string } | undefined {
  const [username = "", ...rest] = text.split(":");
  const password = rest.join(":");
  try {
    return {
      ...(username === "" ? {} : { username: decodeURIComponent(username) }),
      ...(password === "" ? {} : { password: decodeURIComponent(password) }),
    };
  } catch {
    return undefined;
  }
}
