import type { Clock } from "@parley/shared/clock.ts";

/** Limits: 2 MB hold a minute. Past its share, an organization pushes out its own oldest audio, never another's. */
const BOUNDS = { orgBytes: 4 * 1024 * 1024, orgs: 32, clauseBytes: 1024 * 1024 } as const;
/** Audio that nobody requested for this long is forgotten. */
const KEPT_FOR_MS = 24 * 60 * 60 * 1000;

/** What the preferred voice of one call has said before, as seen by that call. */
export interface KeptClauses {
  /** True if every call says this text in the same words. */
  isKept(text: string): boolean;
  has(text: string): boolean;
  get(text: string): Int16Array | undefined;
  put(text: string, samples: Int16Array): void;
}

/** Which agent speaks, and how: another voice, model or speed makes the same words different speech. */
export interface Manner {
  readonly agentId: string;
  readonly vendor: string;
  readonly style: string;
}

interface Kept {
  readonly agentId: string;
  readonly samples: Int16Array;
  usedAtMs: number;
}

interface Shelf {
  readonly speech: Map<string, Kept>;
  bytes: number;
}

/**
 * Keeps what agents say in the same words in every call (first response, fallback and waiting lines, prompts) as 16 kHz
 * PCM in memory, spoken once per process: it plays at once, costs the vendor nothing more, and works during a vendor's
 * outage. An agent's own speech is heard by its own callers only.
 */
export class KeptSpeech {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #bounds: typeof BOUNDS;
  readonly #shelves = new Map<string, Shelf>();

  constructor(clock: Pick<Clock, "monotonicMs">, bounds: Partial<typeof BOUNDS> = {}) {
    this.#clock = clock;
    this.#bounds = { ...BOUNDS, ...bounds };
  }

  /** Bytes of audio across all organizations. */
  get bytes(): number {
    return [...this.#shelves.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Returns shared audio: do not write to it. */
  get(orgId: string, manner: Manner, text: string): Int16Array | undefined {
    const shelf = this.#shelves.get(orgId);
    const key = keyOf(manner, text);
    const kept = shelf?.speech.get(key);
    if (!shelf || !kept) return undefined;
    const nowMs = this.#clock.monotonicMs();
    this.#remove(shelf, key);
    if (nowMs - kept.usedAtMs > KEPT_FOR_MS) return undefined;
    this.#add(shelf, key, { ...kept, usedAtMs: nowMs });
    return kept.samples;
  }

  /** Keeps `samples` without copying, unless they are too long for one line. */
  put(orgId: string, manner: Manner, { text, samples }: { text: string; samples: Int16Array }): void {
    if (samples.length === 0 || samples.byteLength > this.#bounds.clauseBytes) return;
    const shelf = this.#shelves.get(orgId) ?? { speech: new Map<string, Kept>(), bytes: 0 };
    this.#shelves.delete(orgId);
    this.#shelves.set(orgId, shelf);
    const key = keyOf(manner, text);
    this.#remove(shelf, key);
    this.#add(shelf, key, { agentId: manner.agentId, samples, usedAtMs: this.#clock.monotonicMs() });
    this.#makeRoom(shelf);
  }

  /** Forgets all speech of a deleted agent. */
  forget(orgId: string, agentId: string): void {
    const shelf = this.#shelves.get(orgId);
    if (!shelf) return;
    for (const [key, kept] of shelf.speech) if (kept.agentId === agentId) this.#remove(shelf, key);
    if (shelf.speech.size === 0) this.#shelves.delete(orgId);
  }

  #makeRoom(shelf: Shelf): void {
    for (const key of shelf.speech.keys()) {
      if (shelf.bytes <= this.#bounds.orgBytes) break;
      this.#remove(shelf, key);
    }
    const oldest = this.#shelves.keys().next().value;
    if (this.#shelves.size > this.#bounds.orgs && oldest !== undefined) this.#shelves.delete(oldest);
  }

  #add(shelf: Shelf, key: string, kept: Kept): void {
    shelf.speech.set(key, kept);
    shelf.bytes += kept.samples.byteLength;
  }

  #remove(shelf: Shelf, key: string): void {
    const kept = shelf.speech.get(key);
    if (!kept) return;
    shelf.speech.delete(key);
    shelf.bytes -= kept.samples.byteLength;
  }
}

function keyOf({ agentId, vendor, style }: Manner, text: string): string {
  return JSON.stringify([agentId, vendor, style, text.trim()]);
}
