import type { Batch, BatchedAnswer } from "@parley/shared/contracts/batch.ts";
import { ApiError } from "./api-error.ts";

/** The API takes a few more. */
const MOST_TOGETHER = 16;
/** What a page has not asked for by then is asked for anew: it may have changed. */
const AHEAD_MS = 5_000;

export type Read = Batch["reads"][number];

export interface ReadsParts {
  /** Sends a read by itself; gives the data of its answer. */
  readonly alone: (read: Read) => Promise<unknown>;
  /** Sends several in one request. */
  readonly together: (reads: readonly Read[]) => Promise<Response>;
  /** Resolves when requests can be sent; what is asked for until then travels together. */
  readonly ready: () => Promise<unknown>;
}

interface Waiting {
  readonly read: Read;
  readonly answer: Promise<unknown>;
  readonly resolve: (data: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends reads that a page asks for at the same moment as one request; asks only once for what is asked for twice. */
export class Reads {
  readonly #parts: ReadsParts;
  #waiting: Waiting[] = [];
  /** Those asked ahead, until somebody takes their answers. */
  #ahead: Pick<Waiting, "read" | "answer">[] = [];

  constructor(parts: ReadsParts) {
    this.#parts = parts;
  }

  /** Asks for what is about to be asked for: each answer is for the first who asks, soon. */
  askAhead(reads: readonly Read[]): void {
    this.#ahead = reads.map((read) => ({ read, answer: this.ask(read) }));
    // Whoever asks is told why.
    for (const { answer } of this.#ahead) answer.catch(() => undefined);
    setTimeout(() => this.forgetAhead(), AHEAD_MS);
  }

  /** Something is about to change. */
  forgetAhead(): void {
    this.#ahead = [];
  }

  /** The data of the read's answer. Throws `ApiError`. */
  ask(read: Read): Promise<unknown> {
    const isSame = ({ read: other }: Pick<Waiting, "read">): boolean =>
      other.path === read.path && other.orgId === read.orgId;
    const ahead = this.#ahead.find(isSame);
    this.#ahead = this.#ahead.filter((each) => each !== ahead);
    if (ahead) return ahead.answer;
    // One that is under way is not shared: what it reads may have been changed since.
    const same = this.#waiting.find(isSame);
    if (same) return same.answer;
    const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.#waiting.push({ read, answer, resolve, reject }) === 1) void this.#sendSoon();
    return answer;
  }

  async #sendSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    // A failure to get ready is met again by each read, which says so.
    await this.#parts.ready().catch(() => undefined);
    const all = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < all.length; at += MOST_TOGETHER) void this.#send(all.slice(at, at + MOST_TOGETHER));
  }

  async #send(some: readonly Waiting[]): Promise<void> {
    const [only] = some;
    if (only && some.length === 1) {
      this.#parts.alone(only.read).then(only.resolve, only.reject);
      return;
    }
    try {
      const response = await this.#parts.together(some.map(({ read }) => read));
      for await (const answer of answersIn(response)) {
        const waiting = some[answer.at];
        if (waiting) this.#settle(waiting, answer);
      }
      throw new Error("the answer ended early");
    } catch (error) {
      // Changes nothing for those that are answered.
      for (const { reject } of some) reject(error);
    }
  }

  #settle({ read, resolve, reject }: Waiting, { status, body }: BatchedAnswer): void {
    const { data, ...refusal } = body as { data?: unknown; error?: string; code?: string };
    if (data !== undefined) resolve(data);
    // The sign-in ended in between: by itself, the read is tried with a new token.
    else if (status === 401) void this.#parts.alone(read).then(resolve, reject);
    else reject(new ApiError(status, refusal));
  }
}

async function* answersIn({ body }: Response): AsyncGenerator<BatchedAnswer> {
  let rest = "";
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    const lines = (rest + next.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as BatchedAnswer;
  }
}
