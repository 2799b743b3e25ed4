import type { ChatMessage } from "./messages.ts";

/** The tokens one request to a model used. */
export interface ModelTokens {
  readonly model: string;
  /** The agent's owner pays for the service: it has an address or a key of their own. */
  readonly isOwn: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The usage a service reports for a request. */
export interface CountedTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Estimated characters per token, for services that report no counts. */
const TOKEN_CHARS = 4;

/**
 * Reports what one request used, exactly once; an abort reports immediately, as nothing is reported for a call after
 * its end. Uses the service's own count if there is one, else a quarter of the characters; reports nothing if the
 * model had not begun to answer (docs/decisions/billing.md#tokens-told-by-the-asker).
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

  /** Adds characters that the model produced. */
  answered(chars: number): void {
    this.#answeredChars += chars;
  }

  /** Marks the answer as over. */
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

/** Estimates the tokens in a text of this many characters. */
export function tokensOf(chars: number): number {
  return Math.ceil(chars / TOKEN_CHARS);
}
