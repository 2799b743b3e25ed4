import { Agent, type Dispatcher, Pool } from "undici";
import { AppError } from "../errors.ts";
import { type Cidr, parseCidrs } from "./address-rules.ts";
import { blockedAddress, guardedLookup, isAllowedHost } from "./guarded-lookup.ts";
import type { Resolve } from "./names/system-resolver.ts";

export interface GuardedDispatcherOptions {
  /** CIDRs of private addresses that are allowed all the same. */
  readonly allowPrivateTargets: readonly string[];
  readonly connectTimeoutMs: number;
  /** Connections to one host; more requests wait. */
  readonly connectionsPerHost: number;
  /** Refuses what is no https:, with `AppError` bad_request. */
  readonly isHttpsOnly?: boolean;
  readonly keepAliveMs: number;
  /** Over HTTP/1.1 only: with HTTP/2 allowed, the first connection to a host is waited for by all requests to it. */
  readonly isHttp1Only?: boolean;
  /** Age from which a connection takes no new request, so that a name is looked up and vetted again. */
  readonly maxConnectionAgeMs?: number;
  readonly resolve: Resolve;
}

const MAX_CONNECTION_AGE_MS = 60_000;

/**
 * The way out to addresses that customers give. The address is vetted at the moment of connecting, on the
 * resolved IP, so a name that changes its answer gains nothing; one bad answer refuses the name. IP
 * literals are vetted apart: nothing is looked up for them. Redirects are not followed, proxies of the
 * environment are not used, certificates are always verified. Requests reject with `AppError`
 * blocked_address as their error or its cause.
 */
export function createGuardedDispatcher(options: GuardedDispatcherOptions): Dispatcher {
  const allowed = parseCidrs(options.allowPrivateTargets);
  const agent = new Agent({
    // An agent's own factory makes a bare client for one connection, which has no age.
    factory: (origin, settings) => new Pool(origin, settings),
    clientTtl: options.maxConnectionAgeMs ?? MAX_CONNECTION_AGE_MS,
    allowH2: options.isHttp1Only !== true,
    connections: options.connectionsPerHost,
    keepAliveTimeout: options.keepAliveMs,
    connect: {
      timeout: options.connectTimeoutMs,
      lookup: guardedLookup(options.resolve, allowed),
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
    },
  });
  const isAllowed = rememberLast((origin) => isAllowedOrigin(origin, allowed));
  return agent.compose((dispatch) => (request, handler) => {
    if (options.isHttpsOnly && !String(request.origin).startsWith("https:"))
      throw new AppError("bad_request", "The address must begin with https://.");
    if (!isAllowed(String(request.origin))) throw blockedAddress();
    return dispatch(request, handler);
  });
}

/** Whether a literal address may be called; names are vetted when they are resolved. */
function isAllowedOrigin(origin: string, allowed: readonly Cidr[]): boolean {
  return isAllowedHost(new URL(origin).hostname, allowed);
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
