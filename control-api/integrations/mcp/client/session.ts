import {
  Client,
  extractWWWAuthenticateParams,
  InsufficientScopeError,
  type jsonSchemaValidator,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import { guardedFetch } from "@parley/shared/net/guarded-fetch.ts";
import type { EraVerdicts } from "./era-verdicts.ts";

/** Limit of one response, streamed or not. */
const MAX_RESPONSE_BYTES = 4 * 1_048_576;
/** Time for a cancellation or the end of a session to reach the server. */
const PARTING_MS = 1_000;
/** Statuses by which a server of the 2024 transport rejects streamable HTTP. */
const NOT_STREAMABLE: ReadonlySet<number> = new Set([400, 404, 405]);
const REFUSALS: ReadonlySet<number> = new Set([401, 403]);
const CANCELS = '"method":"notifications/cancelled"';

/** A server, and the principal it is asked for. */
export interface McpTarget {
  readonly orgId: string;
  readonly url: string;
  /** Whose view of the server is cached; never shared with others. Names a connection or a token without being it. */
  readonly principal: string;
  readonly credential?: McpCredential | undefined;
}

export interface McpCredential {
  /** The bearer token for the next request. */
  token(): Promise<string>;
  /** Called when the server refused the token: gets another, or throws why there is none. */
  renew?(): Promise<void>;
}

/** A server's demand when it refuses a request. */
export interface Challenge {
  readonly status: number;
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
  readonly error?: string | undefined;
}

/** The server demands a sign-in, or more rights. */
export class McpUnauthorized extends Error {
  readonly challenge: Challenge;

  constructor(challenge: Challenge, cause: unknown) {
    super(`The server answered ${challenge.status}.`, { cause });
    this.challenge = challenge;
  }
}

/** Cache key: a session serves exactly one target. */
export function targetKey({ orgId, principal, url }: McpTarget): string {
  return JSON.stringify([orgId, principal, url]);
}

/** Wraps the error with the server's challenge, if that is its cause. */
export function asUnauthorized(error: unknown, session: Pick<Session, "challenge">): unknown {
  const isRefusal =
    error instanceof UnauthorizedError ||
    error instanceof InsufficientScopeError ||
    (error instanceof SdkHttpError && REFUSALS.has(error.status ?? 0));
  const challenge = session.challenge();
  return isRefusal && challenge ? new McpUnauthorized(challenge, error) : error;
}

export interface SessionDeps {
  readonly egress: Pick<Egress, "to">;
  readonly clock: Clock;
  readonly eras: EraVerdicts;
}

export interface SessionLimits {
  /** For the handshake and for each request. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Session {
  readonly client: Client;
  /** The challenge of the last refusal. */
  challenge(): Challenge | undefined;
  /** Ends the session as its era prescribes and gives up pending requests. Never rejects. */
  end(): Promise<void>;
}

/**
 * Connects in whichever protocol era the server speaks. Rejects with `McpUnauthorized`, `AppError` (the address is
 * refused), or what the client library or undici throws.
 */
export async function openSession(
  target: McpTarget,
  { timeoutMs, signal }: SessionLimits,
  deps: SessionDeps,
): Promise<Session> {
  const { orgId } = target;
  const key = targetKey(target);
  const watched = watchedFetch(orgId, deps);
  const options = { timeout: timeoutMs, maxTotalTimeout: timeoutMs, ...(signal ? { signal } : {}) };
  const prior = deps.eras.get(orgId, key);
  try {
    const session = sessionOver(streamable(target, watched.fetch), watched, deps.clock);
    await session.client.connect(session.transport, { ...options, ...(prior ? { prior } : {}) });
    const discover = session.client.getDiscoverResult();
    deps.eras.set(orgId, key, discover ? { kind: "modern", discover } : { kind: "legacy" });
    return session;
  } catch (error) {
    deps.eras.forget(orgId, key);
    throwRefusal(error, watched);
    if (!(error instanceof SdkHttpError) || !NOT_STREAMABLE.has(error.status ?? 0)) throw error;
    return openOldest(target, { options, watched, first: error }, deps);
  }
}

/** Prefers the reason why a refused token cannot be renewed over the refusal itself. */
function throwRefusal(error: unknown, watched: WatchedFetch): void {
  const challenge = watched.challenge();
  if (!challenge) return;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AppError) throw cause;
  }
  throw new McpUnauthorized(challenge, error);
}

/** Connects by the 2024 transport: an event stream that names the address to post to. */
async function openOldest(
  target: McpTarget,
  { options, watched, first }: { options: object; watched: WatchedFetch; first: Error },
  { clock }: SessionDeps,
): Promise<Session> {
  const url = new URL(target.url);
  const transport = new SSEClientTransport(url, { fetch: watched.fetch, ...providerOf(target) });
  const session = sessionOver(transport, watched, clock);
  try {
    await session.client.connect(transport, { ...options, prior: { kind: "legacy" } });
    return session;
  } catch (error) {
    throwRefusal(error, watched);
    throw first;
  }
}

function streamable(target: McpTarget, fetch: WatchedFetch["fetch"]): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(target.url), {
    fetch,
    onInsufficientScope: "throw",
    ...providerOf(target),
  });
}

function providerOf({ credential }: McpTarget) {
  if (!credential) return {};
  const { renew } = credential;
  return {
    authProvider: {
      token: () => credential.token(),
      ...(renew ? { onUnauthorized: () => renew.call(credential) } : {}),
    },
  };
}

function sessionOver<T extends StreamableHTTPClientTransport | SSEClientTransport>(
  transport: T,
  watched: WatchedFetch,
  clock: Clock,
): Session & { readonly transport: T } {
  const client = new Client(
    { name: "parley", title: "Parley", version: "1.0.0" },
    {
      // No capabilities: a call has no user interface through which a server could ask anyone.
      capabilities: {},
      versionNegotiation: { mode: "auto" },
      inputRequired: { autoFulfill: false },
      listMaxPages: 16,
      jsonSchemaValidator: TRUSTING,
    },
  );
  client.onerror = () => undefined;
  const end = async (): Promise<void> => {
    const parting = (async () => {
      await watched.cancellations();
      if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined)
        await transport.terminateSession();
    })().catch(() => undefined);
    await Promise.race([parting, new Promise<void>((resolve) => clock.after(PARTING_MS, resolve))]);
    await client.close().catch(() => undefined);
  };
  return { client, transport, challenge: watched.challenge, end };
}

/** Skips validation: compiling untrusted schemas is unsafe, and the model reads the result either way. */
const TRUSTING: jsonSchemaValidator = {
  getValidator:
    <T>() =>
    (data: unknown) => ({ valid: true, data: data as T & {}, errorMessage: undefined }),
};

interface WatchedFetch {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  challenge(): Challenge | undefined;
  /** Resolves when all sent cancellations have reached the server. */
  cancellations(): Promise<unknown>;
}

function watchedFetch(orgId: string, { egress }: SessionDeps): WatchedFetch {
  const plain = guardedFetch({
    dispatcher: () => egress.to("mcp").of(orgId),
    maxResponseBytes: MAX_RESPONSE_BYTES,
  });
  let challenge: Challenge | undefined;
  const sent: Promise<unknown>[] = [];
  return {
    challenge: () => challenge,
    cancellations: async () => {
      // The library sends a cancellation one event loop turn after the abort.
      await new Promise<void>((resolve) => setImmediate(resolve));
      return Promise.allSettled(sent);
    },
    fetch: async (url, init) => {
      const asked = plain(url, init);
      if (typeof init?.body === "string" && init.body.includes(CANCELS)) sent.push(asked);
      const response = await asked;
      if (REFUSALS.has(response.status)) {
        challenge = { status: response.status, ...extractWWWAuthenticateParams(response) };
      } else if (response.ok) challenge = undefined;
      return response;
    },
  };
}
