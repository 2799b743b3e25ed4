import { readEvents } from "./read-events.ts";
import type { WidgetSettings } from "./settings.ts";

/** Parley sends a byte at least every 10 s. */
const SILENCE_MS = 30_000;
const TOKEN_TIMEOUT_MS = 15_000;

/** Why there is no answer; the conversation decides what to do about it. */
export class ChatFault extends Error {
  /** HTTP status of the answer; 0 when none came, or it broke off. */
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, retryAfterMs?: number) {
    super(`no answer (${status})`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The customer's server did not answer a token request, or refused it. */
export class TokenFault extends ChatFault {}

export interface SentMessage {
  readonly token: string;
  /** Stays the same when the message is resent. */
  readonly id: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Aborted when no one waits for the answer anymore. */
  readonly signal: AbortSignal;
}

/** Requests tokens from the customer's server and answers from Parley. */
export class ChatClient {
  readonly #settings: Pick<WidgetSettings, "serverUrl" | "tokenUrl" | "agentId">;

  constructor(settings: Pick<WidgetSettings, "serverUrl" | "tokenUrl" | "agentId">) {
    this.#settings = settings;
  }

  /** Mints a token for a new chat. Throws `TokenFault`. */
  async mint(): Promise<string> {
    const { tokenUrl, agentId } = this.#settings;
    const response = await fetch(tokenUrl, {
      method: "POST",
      credentials: "same-origin",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ agentId }),
      signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS),
    }).catch(() => {
      throw new TokenFault(0);
    });
    if (!response.ok) throw new TokenFault(response.status, retryAfterOf(response));
    const body = (await response.json().catch(() => null)) as { token?: unknown } | null;
    if (typeof body?.token !== "string") throw new TokenFault(500);
    return body.token;
  }

  /** Sends a message; resolves with the whole reply. Throws `ChatFault`. */
  async say({ token, id, text, onText, signal }: SentMessage): Promise<{ reply: string; isEnded: boolean }> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const onBytes = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
    };
    try {
      const response = await fetch(`${this.#settings.serverUrl}/api/public/chat`, {
        method: "POST",
        credentials: "omit",
        headers: {
          accept: "text/event-stream",
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "idempotency-key": id,
        },
        body: JSON.stringify({ input: text }),
        signal: AbortSignal.any([silence.signal, signal]),
      });
      if (!response.ok || !response.body) throw new ChatFault(response.status || 502, retryAfterOf(response));
      for await (const { name, data } of readEvents(response.body, onBytes)) {
        if (name === "token") onText(String(data.text ?? ""));
        if (name === "error") throw new ChatFault(statusOf(data.code));
        if (name === "done") return { reply: String(data.reply ?? ""), isEnded: data.ended === true };
      }
      throw new ChatFault(0);
    } catch (error) {
      throw error instanceof ChatFault ? error : new ChatFault(0);
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  /** Ends a token's chat; idempotent. Returns false when the call should be retried later. */
  async end(token: string): Promise<boolean> {
    const response = await fetch(`${this.#settings.serverUrl}/api/public/chat/end`, {
      method: "POST",
      credentials: "omit",
      // Completes even if the page is left.
      keepalive: true,
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS),
    }).catch(() => undefined);
    return response !== undefined && response.status !== 429 && response.status < 500;
  }
}

/** The HTTP status an in-stream error stands for. */
function statusOf(code: unknown): number {
  if (code === "conflict") return 409;
  return code === "gone" ? 410 : 502;
}

function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}
