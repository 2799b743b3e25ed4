/** One turn of the conversation, as it is shown. */
export interface Message {
  readonly id: string;
  readonly role: "user" | "assistant" | "notice";
  readonly text: string;
}

/** What outlives a reload of the page, in this tab. */
export interface Remembered {
  readonly messages: readonly Message[];
  /** The client token of the chat, as long as it may be used. */
  readonly token: string | undefined;
  /** The message that has no answer yet; its id is its `Idempotency-Key`. */
  readonly pendingId: string | undefined;
  readonly draft: string;
  readonly isOpen: boolean;
  /** A reply came while the chat was closed. */
  readonly isUnread: boolean;
  /** Tokens of chats that were left, and that Parley was not told of yet. */
  readonly left: readonly string[];
}

export interface Memory {
  read(): Remembered;
  write(remembered: Remembered): void;
}

const NOTHING: Remembered = {
  messages: [],
  token: undefined,
  pendingId: undefined,
  draft: "",
  isOpen: false,
  isUnread: false,
  left: [],
};
const MAX_MESSAGES = 200;

/** The tab's session storage; where a browser forbids it, nothing outlives a reload. */
export function openMemory(key: string): Memory {
  return {
    read: () => {
      try {
        return { ...NOTHING, ...(JSON.parse(sessionStorage.getItem(key) ?? "{}") as Partial<Remembered>) };
      } catch {
        return NOTHING;
      }
    },
    write: (remembered) => {
      const messages = remembered.messages.slice(-MAX_MESSAGES);
      try {
        sessionStorage.setItem(key, JSON.stringify({ ...remembered, messages }));
      } catch {
        // Forbidden, or full: the conversation goes on without.
        return;
      }
    },
  };
}
