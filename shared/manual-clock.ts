import type { Clock } from "./clock.ts";

interface Entry {
  at: number;
  fn: () => void;
  everyMs?: number;
}

/** A clock that stands still until a test moves it. Timers fire in order of due time. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #epochMs: number;
  #wallOffsetMs = 0;
  readonly #entries = new Set<Entry>();

  constructor(epochMs = Date.UTC(2026, 0, 1)) {
    this.#epochMs = epochMs;
  }

  wallMs(): number {
    return this.#epochMs + this.#now + this.#wallOffsetMs;
  }

  monotonicMs(): number {
    return this.#now;
  }

  after(delayMs: number, fn: () => void): () => void {
    return this.#add({ at: this.#now + Math.max(0, delayMs), fn });
  }

  every(intervalMs: number, fn: () => void): () => void {
    return this.#add({ at: this.#now + intervalMs, fn, everyMs: intervalMs });
  }

  /** Steps the wall clock, as NTP or an operator would; monotonic time is untouched. */
  stepWall(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  /** Advances time by `ms`, firing timers that fall due on the way. */
  advance(ms: number): void {
    const target = this.#now + ms;
    for (let due = this.#nextDue(target); due; due = this.#nextDue(target)) {
      this.#now = Math.max(this.#now, due.at);
      if (due.everyMs === undefined) this.#entries.delete(due);
      else due.at += due.everyMs;
      due.fn();
    }
    this.#now = target;
  }

  #nextDue(target: number): Entry | undefined {
    let next: Entry | undefined;
    for (const entry of this.#entries) {
      if (entry.at <= target && (next === undefined || entry.at < next.at)) next = entry;
    }
    return next;
  }

  #add(entry: Entry): () => void {
    this.#entries.add(entry);
    return () => this.#entries.delete(entry);
  }
}
