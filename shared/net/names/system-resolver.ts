import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import type { Clock } from "../../clock.ts";
import { addressesOfLocalhost, parseHosts } from "./hosts-file.ts";
import { codeOf, LookupError } from "./lookup-error.ts";
import { namesToTry, parseSearchList } from "./search-list.ts";

/** Resolves all addresses of a name. Rejects with an error that has a `code`. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export interface SystemResolverOptions {
  readonly clock: Clock;
  /** `ip` or `ip:port`; the system's servers when absent. */
  readonly servers?: readonly string[] | undefined;
  readonly hostsFile?: string;
  readonly resolvConf?: string;
  /** Time limit of the first try; c-ares doubles it for the second. */
  readonly tryMs?: number;
}

const TRY_MS = 1_000;
const TRIES = 2;
/** How long the system's files and servers count as unchanged. */
const FRESH_MS = 5_000;
const KNOWS_NO_ADDRESS = new Set(["ENOTFOUND", "ENODATA"]);

interface System {
  readonly hosts: ReadonlyMap<string, readonly LookupAddress[]>;
  readonly search: readonly string[];
  readonly resolver: Resolver;
}

/**
 * Resolves names without getaddrinfo, whose few threads a silent name server would block: `/etc/hosts` first, then
 * c-ares with the search list of `/etc/resolv.conf`. Other sources of nsswitch.conf (mDNS, NIS) are not used.
 */
export function createSystemResolver(options: SystemResolverOptions): Resolve {
  const system = keepFresh(options.clock, () => readSystem(options));
  return async (host) => {
    const { hosts, search, resolver } = await system();
    const name = host.toLowerCase();
    const local = hosts.get(name.replace(/\.$/, "")) ?? addressesOfLocalhost(name.replace(/\.$/, ""));
    if (local) return local;
    for (const candidate of namesToTry(name, search)) {
      const found = await addressesOf(candidate, resolver);
      if (found.length > 0) return found;
    }
    throw new LookupError(host, "ENOTFOUND");
  };
}

/** Empty when the name definitely has no address. Rejects when that could not be determined. */
async function addressesOf(name: string, resolver: Resolver): Promise<LookupAddress[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer, index) =>
    answer.status === "fulfilled"
      ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  );
  const failed = answers.find(
    (answer) => answer.status === "rejected" && !KNOWS_NO_ADDRESS.has(codeOf(answer.reason) ?? ""),
  );
  // One family's answer is enough: only resolved and vetted addresses are connected to.
  if (found.length === 0 && failed?.status === "rejected") {
    throw new LookupError(name, codeOf(failed.reason) ?? "ESERVFAIL", failed.reason);
  }
  return found;
}

async function readSystem(options: SystemResolverOptions): Promise<System> {
  const { servers = [], hostsFile = "/etc/hosts", resolvConf = "/etc/resolv.conf", tryMs = TRY_MS } = options;
  const [hosts, conf] = await Promise.all([readIfThere(hostsFile), readIfThere(resolvConf)]);
  const resolver = new Resolver({ timeout: tryMs, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  return { hosts: parseHosts(hosts), search: parseSearchList(conf), resolver };
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return "";
  }
}

function keepFresh<T>(clock: Clock, make: () => Promise<T>): () => Promise<T> {
  let known: { readonly value: Promise<T>; readonly sinceMs: number } | undefined;
  return () => {
    const nowMs = clock.monotonicMs();
    if (!known || nowMs - known.sinceMs >= FRESH_MS) known = { value: make(), sinceMs: nowMs };
    return known.value;
  };
}
