import type { LeadField, Visit, VisitorPage } from "@parley/shared/contracts/public-agents.ts";
import { SessionError, type TalkSession } from "../talk/session.ts";

/** What a visitor enters first. */
export interface Given {
  readonly code?: string;
  readonly lead?: Partial<Record<LeadField, string>>;
}

/** The server refused, or did not answer (0); `message` is for people. */
export class VisitError extends Error {
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, message: string, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The page's requests to the server, by the agent's address or a link's token. */
export interface VisitApi {
  /** Separates the chats of different agents and links. */
  readonly key: string;
  readonly page: () => Promise<VisitorPage>;
  readonly begin: (mode: "call" | "chat", given: Given, signal?: AbortSignal) => Promise<Visit>;
}

/** The API for a page at `/a/{slug}` or `/l/{token}`. */
export function visitApiAt(pathname: string): VisitApi {
  const [, kind, name = ""] = pathname.split("/");
  if (kind === "l") {
    const token = name;
    return {
      key: pathname,
      page: () => send("/api/public/links/read", { token }),
      begin: (mode, given, signal) => send("/api/public/links/sessions", { ...given, token, mode }, signal),
    };
  }
  const path = `/api/public/agents/${name}`;
  return {
    key: pathname,
    page: () => send(path),
    begin: (mode, given, signal) => send(`${path}/sessions`, { ...given, mode }, signal),
  };
}

/** A call for the talk page's parts. @throws SessionError */
export async function openCall(api: VisitApi, given: Given, signal: AbortSignal): Promise<TalkSession> {
  try {
    const { websocketUrl = "", agentName } = await api.begin("call", given, signal);
    return { websocketUrl, agentName };
  } catch (error) {
    if (!(error instanceof VisitError)) throw error;
    throw new SessionError(error.status === 0 ? "offline" : "refused", error.message);
  }
}

async function send<T>(path: string, body?: object, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, {
    method: body ? "POST" : "GET",
    credentials: "omit",
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new VisitError(0, "The server does not answer.");
  });
  const answer = (await response.json().catch(() => null)) as { data?: T; error?: string } | null;
  if (response.ok && answer?.data !== undefined) return answer.data;
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  throw new VisitError(
    response.status,
    answer?.error ?? `The server answered ${response.status}.`,
    retryAfterMs,
  );
}
