/** One turn of the conversation, as displayed. */
export interface Message {
  readonly id: string;
  readonly role: "user" | "assistant" | "notice";
  readonly text: string;
}

/** State that survives a page reload in this tab. */
export interface Remembered {
  readonly messages: readonly Message[];
  /** The chat's client token while it is valid. */
  readonly token: string | undefined;
  /** Id of the unanswered message, which is also its `Idempotency-Key`. */
  readonly pendingId: string | undefined;
  readonly draft: string;
  readonly isOpen: boolean;
  /** A reply arrived while the chat was closed. */
  readonly isUnread: boolean;
  /** Tokens of abandoned chats that Parley has not been told about. */
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

/** The tab's session storage; where the browser blocks it, nothing survives a reload. */
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
        // Storage is blocked or full: the conversation continues without it.
        return;
      }
    },
  };
}
