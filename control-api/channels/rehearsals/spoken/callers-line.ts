import { PCM_RATE_HZ } from "@parley/media/pcm.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { CallActivity, ServerMessage } from "@parley/shared/contracts/call-socket.ts";
import type { SpokenFigures } from "@parley/shared/contracts/spoken-rehearsals.ts";
import { PhoneSocket, type PhoneSocketEvents } from "../../carriers/loopback/phone-socket.ts";

/** Below any word, above the hiss of a made voice. */
const WORD_PEAK = 500;
/** A shorter silence is a pause inside of the agent's words. */
const GAP_MS = 200;

interface Speaking {
  readonly fromMs: number;
  /** End of the last word. */
  readonly untilMs: number;
  /** Said over the agent. */
  readonly isCut: boolean;
  /** From the first sound until the agent stopped. */
  stoppedAfterMs: number | undefined;
  isTalkedOver: boolean;
  isAnswered: boolean;
}

export type LineFigures = Pick<SpokenFigures, "responseMs" | "interruptions" | "talkedOver">;

/** A caller's end of a call: their mouth, their ears, and a stopwatch for both. */
export class CallersLine {
  readonly #socket: PhoneSocket;
  readonly #clock: Clock;
  readonly #spoken: Speaking[] = [];
  readonly #responsesMs: number[] = [];
  #activity: CallActivity = "listening";
  #soundFrames = 0;
  #soundMs = Number.NEGATIVE_INFINITY;

  constructor(url: string, events: Omit<PhoneSocketEvents, "onAudio">, clock: Clock) {
    this.#clock = clock;
    const onAudio = (): void => this.#hear();
    const onMessage = (message: ServerMessage): void => {
      this.#read(message);
      events.onMessage?.(message);
    };
    this.#socket = new PhoneSocket(url, { ...events, onAudio, onMessage }, clock);
  }

  /** How long the agent has had nothing more to say; 0 while it speaks or thinks. */
  get doneForMs(): number {
    return this.#activity === "listening" ? this.#socket.quietMs : 0;
  }

  /** How much of what was queued is still to be heard by the agent. */
  get leftToSayMs(): number {
    return this.#socket.leftToSayMs;
  }

  /** Says these words, over the agent's with `isCut`. */
  say(samples: Int16Array, isCut: boolean): void {
    const fromMs = this.#clock.monotonicMs();
    const untilMs = fromMs + this.#socket.leftToSayMs + lengthOfWordsMs(samples);
    const begun = { stoppedAfterMs: undefined, isTalkedOver: false, isAnswered: false };
    this.#spoken.push({ fromMs, untilMs, isCut, ...begun });
    this.#socket.speak(samples);
  }

  hangUp(): void {
    this.#socket.hangUp();
  }

  figures(): LineFigures {
    const cuts = this.#spoken.filter(({ isCut }) => isCut);
    const stops = cuts.flatMap(({ stoppedAfterMs }) => stoppedAfterMs ?? []);
    return {
      responseMs: percentilesOf(this.#responsesMs),
      interruptions: {
        made: cuts.length,
        heeded: stops.length,
        slowestMs: stops.length === 0 ? null : Math.round(Math.max(...stops)),
      },
      talkedOver: this.#spoken.filter(({ isTalkedOver }) => isTalkedOver).length,
    };
  }

  /** The slowest answer in ms; 0 without any. */
  get slowestMs(): number {
    return Math.round(Math.max(0, ...this.#responsesMs));
  }

  #read(message: ServerMessage): void {
    if (message.type === "state") this.#activity = message.state;
    const last = this.#spoken.at(-1);
    if (message.type !== "clear" || !last?.isCut) return;
    last.stoppedAfterMs ??= this.#clock.monotonicMs() - last.fromMs;
  }

  #hear(): void {
    if (this.#socket.heardFrames === this.#soundFrames) return;
    this.#soundFrames = this.#socket.heardFrames;
    const nowMs = this.#clock.monotonicMs();
    const isFirst = nowMs - this.#soundMs >= GAP_MS;
    this.#soundMs = nowMs;
    const last = this.#spoken.at(-1);
    if (!last || !isFirst) return;
    const hasFloor = !last.isCut || last.stoppedAfterMs !== undefined;
    if (!hasFloor) return;
    if (nowMs < last.untilMs) last.isTalkedOver = true;
    else if (!last.isAnswered) {
      last.isAnswered = true;
      this.#responsesMs.push(nowMs - last.untilMs);
    }
  }
}

function lengthOfWordsMs(samples: Int16Array): number {
  const last = samples.findLastIndex((sample) => Math.abs(sample) > WORD_PEAK);
  return ((last + 1) / PCM_RATE_HZ) * 1_000;
}

function percentilesOf(all: readonly number[]): LineFigures["responseMs"] {
  if (all.length === 0) return null;
  const sorted = all.toSorted((one, other) => one - other);
  const at = (share: number): number => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  return { p50: at(0.5), p95: at(0.95) };
}
