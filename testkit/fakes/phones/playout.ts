/** Audio the caller heard, or that the carrier dropped. */
export interface Playout {
  readonly audio: Uint8Array | undefined;
  readonly marks: readonly string[];
}

type Queued =
  | { readonly type: "audio"; readonly bytes: Uint8Array }
  | { readonly type: "mark"; readonly name: string };

/** A carrier's buffer of the application's audio: plays 20 ms per tick, and reports passed marks. */
export class PlayoutBuffer {
  readonly #frameBytes: number;
  readonly #delayTicks: number;
  #queue: Queued[] = [];
  #waitTicks = 0;

  constructor(options: { frameBytes: number; delayMs: number }) {
    this.#frameBytes = options.frameBytes;
    this.#delayTicks = Math.round(options.delayMs / 20);
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  write(bytes: Uint8Array): void {
    if (this.isEmpty) this.#waitTicks = this.#delayTicks;
    for (let at = 0; at < bytes.length; at += this.#frameBytes) {
      this.#queue.push({ type: "audio", bytes: bytes.slice(at, at + this.#frameBytes) });
    }
  }

  mark(name: string): void {
    this.#queue.push({ type: "mark", name });
  }

  /** Drops everything; returns the marks in it. */
  clear(): string[] {
    const dropped = this.#queue.flatMap((item) => (item.type === "mark" ? [item.name] : []));
    this.#queue = [];
    return dropped;
  }

  /** Advances by 20 ms. */
  tick(): Playout {
    if (this.#waitTicks > 0 && !this.isEmpty) {
      this.#waitTicks -= 1;
      return { audio: undefined, marks: [] };
    }
    const marks = this.#takeMarks();
    const [first] = this.#queue;
    if (first?.type !== "audio") return { audio: undefined, marks };
    this.#queue.shift();
    return { audio: first.bytes, marks };
  }

  #takeMarks(): string[] {
    const marks: string[] = [];
    for (let [first] = this.#queue; first?.type === "mark"; [first] = this.#queue) {
      marks.push(first.name);
      this.#queue.shift();
    }
    return marks;
  }
}
