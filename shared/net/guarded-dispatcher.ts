import type { LookupFunction } from "node:net";
import { Agent, type Dispatcher, Pool } from "undici";
import { systemClock } from "../clock.ts";
import { AppError } from "../errors.ts";
import { type Cidr, parseCidrs } from "./address-rules.ts";
import { blockedAddress, guardedLookup, isAllowedHost } from "./guarded-lookup.ts";
import type { Resolve } from "./names/system-resolver.ts";
import { SpareConnections } from "./spare-connections.ts";

export interface GuardedDispatcherOptions {
  /** CIDRs of private addresses that are allowed nevertheless. */
  readonly allowPrivateTargets: readonly string[];
  readonly connectTimeoutMs: number;
  /** Maximum connections to one host; further requests wait. */
  readonly connectionsPerHost: number;
  /** Refuses anything but https: with `AppError` bad_request. */
  readonly isHttpsOnly?: boolean;
  readonly keepAliveMs: number;
  /** Uses HTTP/1.1 only: with HTTP/2 allowed, all requests to a host wait for its first connection. */
  readonly isHttp1Only?: boolean;
  /** Age from which a connection takes no new request, so that its name is resolved and vetted again. */
  readonly maxConnectionAgeMs?: number;
  readonly resolve: Resolve;
}

const MAX_CONNECTION_AGE_MS = 60_000;

/**
 * The dispatcher to addresses given by customers. Vets the resolved IP at connect time, so DNS rebinding gains
 * nothing; one bad address refuses the whole name. IP literals are vetted separately, as they are not looked up. Does
 * not follow redirects, ignores proxies from the environment, and always verifies certificates. Requests reject with
 * `AppError` blocked_address as their error or its cause.
 */
export function createGuardedDispatcher(options: GuardedDispatcherOptions): Dispatcher {
  const allowed = parseCidrs(options.allowPrivateTargets);
  const connect = {
    timeout: options.connectTimeoutMs,
    lookup: guardedLookup(options.resolve, allowed),
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
  };
  const agent = options.isHttp1Only ? http1Agent(options, connect) : anyAgent(options, connect);
  const isAllowed = rememberLast((origin) => isAllowedOrigin(origin, allowed));
  return agent.compose((dispatch) => (request, handler) => {
    if (options.isHttpsOnly && !String(request.origin).startsWith("https:"))
      throw new AppError("bad_request", "The address must begin with https://.");
    if (!isAllowed(String(request.origin))) throw blockedAddress();
    return dispatch(request, handler);
  });
}

interface Connect {
  readonly timeout: number;
  readonly lookup: LookupFunction;
  readonly rejectUnauthorized: boolean;
}

function anyAgent(options: GuardedDispatcherOptions, connect: Connect): Agent {
  return new Agent({
    // By default an agent creates a bare client for a single connection, which ignores the maximum age.
    factory: (origin, settings) => new Pool(origin, settings),
    allowH2: true,
    clientTtl: options.maxConnectionAgeMs ?? MAX_CONNECTION_AGE_MS,
    connections: options.connectionsPerHost,
    keepAliveTimeout: options.keepAliveMs,
    connect,
  });
}

function http1Agent(options: GuardedDispatcherOptions, connect: Connect): Agent {
  return new Agent({
    allowH2: false,
    factory: (origin) =>
      new SpareConnections(origin, {
        connections: options.connectionsPerHost,
        maxAgeMs: options.maxConnectionAgeMs ?? MAX_CONNECTION_AGE_MS,
        keepAliveMs: options.keepAliveMs,
        clock: systemClock,
        socket: {
          lookup: connect.lookup,
          timeoutMs: connect.timeout,
          rejectUnauthorized: connect.rejectUnauthorized,
        },
      }),
  });
}

/** Whether a literal address may be called; names are vetted when they are resolved. */
function isAllowedOrigin(origin: string, allowed: readonly Cidr[]): boolean {
  return isAllowedHost(new URL(origin).hostname, allowed);
}

const REMEMBERED = 1_000;

/** Memoizes the most recent decisions: parsing an address costs as much as a tenth of a request. */
function rememberLast(decide: (question: string) => boolean): (question: string) => boolean {
  const known = new Map<string, boolean>();
  return (question) => {
    const answer = known.get(question) ?? decide(question);
    if (known.size >= REMEMBERED) known.clear();
    known.set(question, answer);
    return answer;
  };
}
