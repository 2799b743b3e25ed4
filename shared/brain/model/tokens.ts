import type { ChatMessage } from "./messages.ts";

/** What one request to a model used. */
export interface ModelTokens {
  readonly model: string;
  /** The agent's owner pays the service: it is at an address or with a key of their own. */
  readonly isOwn: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What a service says a request used. */
export interface CountedTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Of a service that counts none: about so many characters are a token. */
const TOKEN_CHARS = 4;

/**
 * Tells what one request used, once, and at once when it is aborted: nothing is told of a call after its end. By the
 * service's own count where there is one, else a quarter of the characters; nothing where the model had not begun to answer
 * (docs/decisions/billing.md#tokens-told-by-the-asker).
 */
export class TokenTally {
  readonly #asked: readonly ChatMessage[];
  readonly #counted: () => CountedTokens | undefined;
  readonly #tell: (used: CountedTokens) => void;
  #answeredChars = 0;
  #isTold = false;

  constructor(of: {
    readonly asked: readonly ChatMessage[];
    readonly counted: () => CountedTokens | undefined;
    readonly signal: AbortSignal;
    readonly tell: (used: CountedTokens) => void;
  }) {
    this.#asked = of.asked;
    this.#counted = of.counted;
    this.#tell = of.tell;
    of.signal.addEventListener("abort", this.end, { once: true });
  }

  /** The model gave so many characters more. */
  answered(chars: number): void {
    this.#answeredChars += chars;
  }

  /** Nothing more comes. */
  readonly end = (): void => {
    if (this.#isTold) return;
    const used = this.#counted() ?? this.#estimated();
    if (!used) return;
    this.#isTold = true;
    this.#tell(used);
  };

  #estimated(): CountedTokens | undefined {
    if (this.#answeredChars === 0) return undefined;
    const askedChars = this.#asked.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
    return { inputTokens: tokensOf(askedChars), outputTokens: tokensOf(this.#answeredChars) };
  }
}

/** About so many tokens a text of so many characters is. */
export function tokensOf(chars: number): number {
  return Math.ceil(chars / TOKEN_CHARS);
}
