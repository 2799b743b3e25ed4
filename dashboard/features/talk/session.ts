/** What the page needs to start a call. */
export interface TalkSession {
  readonly websocketUrl: string;
  readonly agentName: string;
}

/** Why there is no session. `no-demo`: this server has no demo agent. */
export type SessionFault = "no-demo" | "refused" | "offline";

/** Thrown by `createSession`; `message` is for people. */
export class SessionError extends Error {
  readonly fault: SessionFault;

  constructor(fault: SessionFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

const SESSION_PATH = "/talk/session";
const NO_DEMO_STATUSES: readonly number[] = [403, 404];

/**
 * Asks this page's server for a call with the demo agent.
 * @throws SessionError
 */
export async function createSession(signal: AbortSignal): Promise<TalkSession> {
  const response = await post(signal);
  const body: unknown = await response.json().catch(() => undefined);
  if (NO_DEMO_STATUSES.includes(response.status)) {
    throw new SessionError("no-demo", "This server has no demo agent.");
  }
  const websocketUrl = textAt(body, "websocketUrl");
  if (!response.ok || websocketUrl === undefined) {
    throw new SessionError("refused", textAt(body, "error") ?? `The server answered ${response.status}.`);
  }
  return { websocketUrl, agentName: textAt(body, "agentName") ?? "the agent" };
}

async function post(signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(SESSION_PATH, { method: "POST", signal });
  } catch {
    throw new SessionError("offline", "The server does not answer.");
  }
}

function textAt(body: unknown, key: string): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const value: unknown = Reflect.get(body, key);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The result of reading a pasted or linked call URL. */
export type CallUrl = { readonly url: string } | { readonly problem: string };

/** Validates a websocketUrl from one's own backend. A secure page cannot open an insecure socket. */
export function readCallUrl(text: string, pageProtocol: string): CallUrl {
  const url = parseUrl(text.trim());
  if (url === undefined || (url.protocol !== "ws:" && url.protocol !== "wss:")) {
    return { problem: "A call URL begins with ws:// or wss://. Copy the websocketUrl of the answer." };
  }
  if (pageProtocol === "https:" && url.protocol === "ws:") {
    return { problem: "This page is secure (https), so the call URL must begin with wss://." };
  }
  return { url: url.href };
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The call URL in a link such as `/talk#url=wss%3A%2F%2F…`. */
export function callUrlInHash(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, "")).get("url") ?? undefined;
}
