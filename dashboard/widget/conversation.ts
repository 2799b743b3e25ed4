import { type ChatClient, ChatFault, TokenFault } from "./chat-client.ts";
import type { Memory, Message, Remembered } from "./memory.ts";
import type { Words } from "./words.ts";

type Client = Pick<ChatClient, "mint" | "say" | "end">;

/** Delays in milliseconds before retries after a network failure; then the visitor decides. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000];
/** How long to wait for an answer being generated; Parley gives up after 55 s. */
const MAX_WAIT_MS = 75_000;
const MAX_PAUSE_MS = 15_000;
const MIN_PAUSE_MS = 1_000;
/** Limit of abandoned chats to remember; each expires after half an hour. */
const MAX_LEFT = 5;

/** What the widget shows. */
export interface Shown extends Pick<Remembered, "messages" | "draft" | "isOpen" | "isUnread"> {
  /** The reply so far; undefined while none is awaited. */
  readonly reply: string | undefined;
  /** The unanswered message and the reason, until it is resent. */
  readonly fault: { readonly id: string; readonly text: string } | undefined;
}

/** A visitor's conversation: sends their messages one at a time, and recovers from failures. */
export class Conversation {
  readonly #client: Client;
  readonly #memory: Memory;
  readonly #words: Words;
  #kept: Remembered;
  #reply: string | undefined;
  #fault: Shown["fault"];
  /** Aborts the awaited answer. */
  #over = new AbortController();
  onChange: () => void = () => undefined;

  constructor({ client, memory, words }: { client: Client; memory: Memory; words: Words }) {
    this.#client = client;
    this.#memory = memory;
    this.#words = words;
    this.#kept = memory.read();
  }

  get shown(): Shown {
    const { messages, draft, isOpen, isUnread } = this.#kept;
    return { messages, draft, isOpen, isUnread, reply: this.#reply, fault: this.#fault };
  }

  get isBusy(): boolean {
    return this.#reply !== undefined || this.#fault !== undefined;
  }

  keep(draft: string): void {
    this.#change({ draft });
  }

  show(isOpen: boolean): void {
    this.#change({ isOpen, ...(isOpen ? { isUnread: false } : {}) });
  }

  /** Ends the chat and forgets it, but keeps the draft. */
  leave(): void {
    const { token, left } = this.#kept;
    this.#over.abort();
    this.#reply = undefined;
    this.#fault = undefined;
    this.#change({
      messages: [],
      pendingId: undefined,
      token: undefined,
      left: token === undefined ? left : [...left, token].slice(-MAX_LEFT),
    });
    void this.#endLeft();
  }

  /** Sends a message; refuses while an answer is awaited, leaving the text where it was typed. */
  send(text: string): boolean {
    if (text.trim() === "" || this.isBusy) return false;
    const message = this.#message("user", text.trim());
    this.#change({ messages: [...this.#kept.messages, message], pendingId: message.id, draft: "" });
    void this.#answer(message);
    return true;
  }

  /** Resends the unanswered message. */
  retry(): void {
    if (this.#fault) this.resume();
  }

  /** Puts the unanswered message back in front of the visitor's draft. */
  takeBack(): void {
    const { messages, draft } = this.#kept;
    const message = messages.find(({ id }) => id === this.#fault?.id);
    if (!message) return;
    this.#fault = undefined;
    this.#change({
      messages: messages.filter((one) => one !== message),
      pendingId: undefined,
      draft: draft === "" ? message.text : `${message.text}\n${draft}`,
    });
  }

  /** After a reload, resends the message that has no answer yet. */
  resume(): void {
    void this.#endLeft();
    const pending = this.#kept.messages.find(({ id }) => id === this.#kept.pendingId);
    if (pending && this.#reply === undefined) void this.#answer(pending);
  }

  async #answer(message: Message): Promise<void> {
    this.#over = new AbortController();
    const { signal } = this.#over;
    this.#fault = undefined;
    this.#showReply("");
    try {
      const { reply, isEnded } = await this.#sayUntilAnswered(message, signal);
      this.#reply = undefined;
      const added = [
        ...(reply === "" ? [] : [this.#message("assistant", reply)]),
        ...(isEnded ? [this.#message("notice", this.#words.ended)] : []),
      ];
      this.#change({
        messages: [...this.#kept.messages, ...added],
        pendingId: undefined,
        isUnread: !this.#kept.isOpen,
        ...(isEnded ? { token: undefined } : {}),
      });
    } catch (error) {
      // The chat was abandoned: another may be under way.
      if (signal.aborted) return;
      this.#reply = undefined;
      this.#fault = { id: message.id, text: whyNot(error, this.#words) };
      this.onChange();
    }
  }

  async #sayUntilAnswered(
    { id, text }: Message,
    signal: AbortSignal,
  ): Promise<{ reply: string; isEnded: boolean }> {
    const startedMs = performance.now();
    let faults = 0;
    let isAnew = false;
    for (;;) {
      this.#showReply("");
      try {
        const token = await this.#token(signal);
        const onText = (more: string): void => {
          if (!signal.aborted) this.#showReply((this.#reply ?? "") + more);
        };
        const said = await this.#client.say({ token, id, text, onText, signal });
        signal.throwIfAborted();
        return said;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ChatFault)) throw error;
        const isOver = !(error instanceof TokenFault) && (error.status === 410 || error.status === 401);
        if (isOver && !isAnew) {
          isAnew = true;
          this.#beginAnew(id);
          continue;
        }
        const pauseMs = pauseAfter(error, faults++);
        if (pauseMs === undefined || performance.now() - startedMs + pauseMs > MAX_WAIT_MS) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        signal.throwIfAborted();
      }
    }
  }

  async #token(signal: AbortSignal): Promise<string> {
    const { token } = this.#kept;
    if (token !== undefined) return token;
    const minted = await this.#client.mint();
    signal.throwIfAborted();
    this.#change({ token: minted });
    return minted;
  }

  /** Ends abandoned chats. A failure is retried on the next page, or with the next abandoned chat. */
  async #endLeft(): Promise<void> {
    for (const token of this.#kept.left) {
      if (!(await this.#client.end(token))) return;
      this.#change({ left: this.#kept.left.filter((other) => other !== token) });
    }
  }

  /** The chat has ended: moves the message to a new one, and tells the visitor. */
  #beginAnew(id: string): void {
    const { messages } = this.#kept;
    const at = messages.findIndex((message) => message.id === id);
    const notices =
      at > 0 && messages[at - 1]?.role !== "notice" ? [this.#message("notice", this.#words.anew)] : [];
    this.#change({ token: undefined, messages: messages.toSpliced(Math.max(at, 0), 0, ...notices) });
  }

  #message(role: Message["role"], text: string): Message {
    // crypto.randomUUID is missing on pages without TLS.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return { id: [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""), role, text };
  }

  #showReply(text: string): void {
    this.#reply = text;
    this.onChange();
  }

  #change(changes: Partial<Remembered>): void {
    this.#kept = { ...this.#kept, ...changes };
    this.#memory.write(this.#kept);
    this.onChange();
  }
}

/** Delay before a message is resent; undefined when resending would not help. */
function pauseAfter({ status, retryAfterMs }: ChatFault, faults: number): number | undefined {
  // An answer is being generated, the rate limit was hit, or the server is away: it says when to retry.
  if (status === 409 || status === 429 || status === 503) {
    return Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS * (faults + 1), retryAfterMs ?? 0));
  }
  return status === 0 ? PAUSES_MS[faults] : undefined;
}

function whyNot(error: unknown, words: Words): string {
  const status = error instanceof ChatFault ? error.status : 500;
  if (status === 0) return words.offline;
  if (status === 429) return words.tooMany;
  if (status === 401 || status === 403 || status === 404) return words.unavailable;
  return status === 400 ? words.refused : words.failed;
}
