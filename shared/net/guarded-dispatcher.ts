import { lookup as dnsLookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, type Dispatcher } from "undici";
import { AppError } from "../errors.ts";
import { type Cidr, isAllowedAddress, parseCidrs } from "./address-rules.ts";

export type { Dispatcher };

export interface GuardedDispatcherOptions {
  /** CIDRs of private addresses that are allowed all the same. */
  readonly allowPrivateTargets: readonly string[];
  readonly connectTimeoutMs: number;
  /** Connections to one host; more requests wait. */
  readonly connectionsPerHost: number;
  /** Refuses what is no https:, with `AppError` bad_request. */
  readonly isHttpsOnly?: boolean;
  readonly keepAliveMs: number;
  /** All addresses of a name; the system's resolver when absent. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
}

/**
 * The way out to addresses that customers give. The address is vetted at the moment of connecting, on the
 * resolved IP, so a name that changes its answer gains nothing; one bad answer refuses the name. IP
 * literals are vetted apart: nothing is looked up for them. Redirects are not followed, proxies of the
 * environment are not used, certificates are always verified. Requests reject with `AppError`
 * blocked_address as their error or its cause.
 */
export function createGuardedDispatcher(options: GuardedDispatcherOptions): Dispatcher {
  const allowed = parseCidrs(options.allowPrivateTargets);
  const resolve = options.resolve ?? resolveAll;
  const agent = new Agent({
    connections: options.connectionsPerHost,
    keepAliveTimeout: options.keepAliveMs,
    connect: {
      timeout: options.connectTimeoutMs,
      lookup: guardedLookup(resolve, allowed),
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
    },
  });
  const isAllowed = rememberLast((origin) => isAllowedOrigin(origin, allowed));
  return agent.compose((dispatch) => (request, handler) => {
    if (options.isHttpsOnly && !String(request.origin).startsWith("https:"))
      throw new AppError("bad_request", "The address must begin with https://.");
    if (!isAllowed(String(request.origin))) throw blocked();
    return dispatch(request, handler);
  });
}

/** Whether a literal address may be called; names are vetted when they are resolved. */
function isAllowedOrigin(origin: string, allowed: readonly Cidr[]): boolean {
  const host = new URL(origin).hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) === 0 || isAllowedAddress(host, allowed);
}

const REMEMBERED = 1_000;

/** The answers to the questions that were asked last: to parse an address costs as much as a tenth of a request. */
function rememberLast(decide: (question: string) => boolean): (question: string) => boolean {
  const known = new Map<string, boolean>();
  return (question) => {
    const answer = known.get(question) ?? decide(question);
    if (known.size >= REMEMBERED) known.clear();
    known.set(question, answer);
    return answer;
  };
}

function guardedLookup(
  resolve: (host: string) => Promise<readonly LookupAddress[]>,
  allowed: readonly Cidr[],
): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        const isClean = addresses.every(({ address }) => isAllowedAddress(address, allowed));
        if (!first || !isClean) callback(blocked(), []);
        else if (all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

function resolveAll(host: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    dnsLookup(host, { all: true, verbatim: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });
}

function blocked(): AppError {
  return new AppError(
    "blocked_address",
    "The address is private or reserved; ALLOW_PRIVATE_TARGETS can open it for development.",
  );
}
