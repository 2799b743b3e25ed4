import type { Background } from "@parley/media/background/background.ts";
import { Fader } from "@parley/media/level/fader.ts";
import { Pacer } from "@parley/media/pacer/pacer.ts";
import { msToSamples } from "@parley/media/pcm.ts";
import { CatchUp } from "./catch-up.ts";
import { Reply } from "./reply.ts";

/** Interval of `tick`; frames are sent one tick early, so that the lead never falls below the requested one. */
const TICK_MS = 20;
/** Frames sent along with a due one: three frames in one write cost a third of three writes. */
const BATCH_MS = 40;
/** How far ahead background is sent between answers; it delays the next answer by up to two frames. */
const PAUSE_AHEAD_MS = 20;
/** Audio moved from a reply to the pacer ahead of need; small, so that a hold discards little. */
const FEED_SAMPLES = msToSamples(100);
/** How long after the last audio is due the caller's app may still acknowledge its mark. */
const LAST_MARK_GRACE_MS = 1_000;
/** An app whose marks come later than this after their audio is hanging rather than playing. */
const MAX_BEHIND_MS = 2_000;
/** Gain under a possible interruption: 12 dB down, soft enough to talk over, loud enough to follow. */
const DUCKED_GAIN = 0.25;
/** How much heard audio is kept for a resume that goes back a little. */
const KEEP_HEARD_SAMPLES = msToSamples(2_000);

/** Destination of the output. */
export interface AudioSink {
  /** Sends one 20 ms frame that the caller hears at `playAtMs`; `frame` is valid during the call only. */
  sendFrame(frame: Int16Array, playAtMs: number): void;
  /** Sends a frame between two answers, with the background alone. */
  sendPause(frame: Int16Array, playAtMs: number): void;
  sendMark(name: string): void;
  /** Sends everything that `work` sends in one write. */
  together(work: () => void): void;
  /** Discards what the caller's app has buffered. Returns true if the app will report how much it had played. */
  sendClear(): boolean;
}

export interface AudioOutputEvents {
  /** The reply's first audio was sent. */
  onStarted(reply: Reply): void;
  /** Audio of a further clause was sent. */
  onClause(reply: Reply, clauseIndex: number): void;
  /** The reply was played to its end, or had nothing to play. */
  onFinished(reply: Reply): void;
  onLateFrame(lateMs: number): void;
}

export interface AudioOutputOptions {
  readonly leadMs: number;
  /** Speed of the voice, 1 being its natural speed. */
  readonly speed?: number;
  readonly now: () => number;
  readonly sink: AudioSink;
  /** Background sound under the voice and between answers while `isWanted`. */
  readonly background?: { readonly sound: Background; readonly isWanted: () => boolean } | undefined;
  readonly events: AudioOutputEvents;
}

/** Speaks one reply at a time at the pace of speech; can be held, resumed and cut. */
export class AudioOutput {
  readonly #options: AudioOutputOptions;
  readonly #pacer: Pacer;
  readonly #aheadMs: number;
  readonly #pump: () => void;
  readonly #fillPause: () => void;
  readonly #fader = new Fader();
  readonly #catchUp = new CatchUp();
  #reply: Reply | undefined;
  /** True while a line plays in front of the reply; that reply waits in `#next` until the line was played. */
  #isInterjecting = false;
  #next: Reply | undefined;
  /** The app may count the preceding line as part of this reply. */
  #followsLine = false;
  #isHeld = false;
  #lastClause = -1;
  #awaitsPlayed = false;
  #playedWaiter: (() => void) | undefined;
  /** Clauses whose end the app has not acknowledged, with the due time of that end once it was sent. */
  #marks = new Map<string, { readonly clause: number; dueMs: number | undefined }>();
  #markSerial = 0;
  /** True once the app has acknowledged a mark; apps that never do are not waited for. */
  #acknowledges = false;
  /** Delay of the app's playback according to its last mark: phone networks have buffers of their own. */
  #behindMs = 0;

  constructor(options: AudioOutputOptions) {
    this.#options = options;
    const { sink, events, now, leadMs } = options;
    const sound = options.background?.sound;
    this.#aheadMs = leadMs + TICK_MS + BATCH_MS;
    this.#pump = () => this.#pacer.pump();
    this.#fillPause = () => this.#pacer.fill(PAUSE_AHEAD_MS);
    this.#pacer = new Pacer({
      leadMs: leadMs + TICK_MS,
      batchMs: BATCH_MS,
      now,
      onFrame: (frame, playAtMs) => {
        this.#reply?.sent(playAtMs, frame.length);
        const voice = this.#fader.apply(frame);
        sink.sendFrame(sound ? sound.under(voice) : voice, playAtMs);
      },
      onPause: (frame, playAtMs) => sound && sink.sendPause(sound.under(frame), playAtMs),
      onMark: (name) => this.#sendMark(name),
      onLate: (lateMs) => events.onLateFrame(lateMs),
    });
  }

  get reply(): Reply | undefined {
    return this.#reply;
  }

  /** True after a clear until the app reports how much it had played. */
  get awaitsPlayed(): boolean {
    return this.#awaitsPlayed;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** How late the caller's app plays, according to its marks; 0 before the first mark. */
  get behindMs(): number {
    return this.#behindMs;
  }

  /** Starts a reply; a previous reply must have been cut or finished. */
  begin(options: { turn: number; interruptible: boolean }): Reply {
    const reply = new Reply({ ...options, speed: this.#options.speed });
    if (this.#isInterjecting) {
      this.#next?.complete();
      this.#next = reply;
      return reply;
    }
    if (this.#reply) this.drop();
    this.#followsLine = false;
    this.#put(reply);
    return reply;
  }

  /** Starts a line in front of the current reply, which has nothing to play yet, or of the next one. */
  interject(turn: number): Reply {
    const line = new Reply({ turn, interruptible: true, speed: this.#options.speed });
    this.#next = this.#reply;
    this.#isInterjecting = true;
    this.#put(line);
    return line;
  }

  #put(reply: Reply): void {
    this.#reply = reply;
    this.#fader.reset();
    this.#isHeld = false;
    this.#lastClause = -1;
    this.#marks.clear();
  }

  /** Called every 20 ms, and after changes. */
  tick(): void {
    const reply = this.#reply;
    const { background } = this.#options;
    background?.sound.turn(background.isWanted() ? "on" : "off");
    if (reply && !this.#isHeld) {
      if (this.#isInterjecting && this.#next?.hasAudio && reply.canGiveWay) this.#giveWay(reply);
      this.#feed(reply);
      this.#send();
      this.#finishWhenPlayed(reply);
    }
    this.#sendBackground();
  }

  /** The announced reply has audio: play it as soon as the part of the line already sent is played. */
  #giveWay(line: Reply): void {
    this.#pacer.forget();
    for (const [name, { dueMs }] of this.#marks) if (dueMs === undefined) this.#marks.delete(name);
    line.giveWay();
  }

  #sendBackground(): void {
    const { background, sink } = this.#options;
    if (!background || background.sound.isSilent) return;
    if (!this.#pacer.isPauseDue(PAUSE_AHEAD_MS) || this.#catchUp.isResting(this.#options.now())) return;
    sink.together(this.#fillPause);
  }

  /** Lowers the volume from the next frame on. */
  duck(): void {
    this.#fader.fadeTo(DUCKED_GAIN);
  }

  /** Returns to full volume. */
  restore(): void {
    this.#fader.fadeTo(1);
  }

  /** Stops the loudspeaker now; keeps the unheard audio for `resume`. */
  hold(): void {
    if (!this.#reply || this.#isHeld) return;
    this.#isHeld = true;
    this.#stopLoudspeaker(this.#reply);
  }

  /** Resumes after a false interruption, from the first audio that was not heard. */
  resume(): void {
    const reply = this.#reply;
    if (!reply || !this.#isHeld) return;
    this.#isHeld = false;
    this.#awaitsPlayed = false;
    this.#fader.reset();
    reply.rewind(this.#options.now());
    this.tick();
  }

  /** Drops queued audio that was not heard; the reply continues with what is written from here on. */
  skip(): void {
    if (!this.#reply) return;
    if (this.#isInterjecting) {
      this.#next?.skip(this.#options.now());
      return;
    }
    this.#stopLoudspeaker(this.#reply);
    this.#reply.skip(this.#options.now());
    this.#lastClause = this.#reply.clauses.length - 1;
  }

  /** Ends the current reply where it is, and one waiting behind a line. Read what was heard before calling this. */
  drop(): void {
    // Unless told to clear, the app plays out its buffer; a stream without pauses never makes up for that delay.
    if (this.#options.background && !this.#isHeld) this.#pacer.forget();
    else this.#pacer.clear();
    for (const reply of [this.#reply, this.#next]) {
      reply?.complete();
      reply?.release();
    }
    this.#reply = undefined;
    this.#next = undefined;
    this.#isInterjecting = false;
    this.#isHeld = false;
  }

  /** The caller's app has played everything up to a mark. */
  onMark(name: string): void {
    const mark = this.#marks.get(name);
    if (mark?.dueMs === undefined) return;
    this.#marks.delete(name);
    this.#acknowledges = true;
    this.#behindMs = Math.min(MAX_BEHIND_MS, Math.max(0, this.#options.now() - mark.dueMs));
    this.#catchUp.onBehind(this.#behindMs);
    this.#reply?.acknowledge(mark.clause);
    this.tick();
  }

  /** The caller's app answers a clear with how much of the reply was really heard. */
  onPlayed(playedMs: number): void {
    if (!this.#awaitsPlayed) return;
    this.#awaitsPlayed = false;
    const reply = this.#reply;
    // An app that counts frames includes a line before the answer, and the background in its pauses.
    const isHeldToClock = this.#followsLine || this.#options.background !== undefined;
    const mostMs = isHeldToClock ? (reply?.heardMs(this.#options.now()) ?? 0) : playedMs;
    reply?.report(Math.min(playedMs, mostMs));
    this.#playedWaiter?.();
  }

  /** Resolves when the app has answered the last clear, or when `signal` is aborted. */
  async playedReported(signal: AbortSignal): Promise<void> {
    if (!this.#awaitsPlayed || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#playedWaiter = resolve;
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  #stopLoudspeaker(reply: Reply): void {
    reply.hold(this.#options.now() - this.#behindMs);
    this.#pacer.clear();
    this.#catchUp.reset();
    // From here on a returned mark may be due to the clear, so it proves nothing.
    this.#marks.clear();
    this.#awaitsPlayed = this.#options.sink.sendClear();
  }

  #feed(reply: Reply): void {
    while (this.#pacer.queuedMs < this.#aheadMs) {
      const next = reply.read(FEED_SAMPLES);
      if (!next) break;
      if (next.samples.length > 0) this.#pacer.write(next.samples);
      if (next.endsClause !== undefined) this.#placeMark(reply, next.endsClause);
      this.#noteProgress(reply);
      reply.forget(reply.heardSamples(this.#options.now()) - KEEP_HEARD_SAMPLES);
    }
    if (reply.isComplete && reply.isDrained) this.#pacer.flush();
  }

  #send(): void {
    if (this.#pacer.isDue) this.#options.sink.together(this.#pump);
  }

  #noteProgress(reply: Reply): void {
    const clause = reply.clauseAtCursor;
    if (clause <= this.#lastClause) return;
    const isFirst = this.#lastClause === -1;
    this.#lastClause = clause;
    if (isFirst) {
      this.#send();
      this.#options.events.onStarted(reply);
    }
    this.#options.events.onClause(reply, clause);
  }

  #placeMark(reply: Reply, clause: number): void {
    const name = `t${reply.turn}-${++this.#markSerial}`;
    this.#marks.set(name, { clause, dueMs: undefined });
    this.#pacer.mark(name);
  }

  #sendMark(name: string): void {
    const mark = this.#marks.get(name);
    if (mark) mark.dueMs = this.#pacer.playedUntilMs;
    this.#options.sink.sendMark(name);
  }

  #finishWhenPlayed(reply: Reply): void {
    if (!reply.isComplete || !reply.isDrained || !this.#pacer.isIdle) return;
    const waitsForMark = this.#acknowledges && this.#marks.size > 0;
    if (waitsForMark && this.#options.now() < this.#pacer.endsAtMs + LAST_MARK_GRACE_MS) return;
    this.#reply = undefined;
    reply.release();
    if (this.#isInterjecting) this.#goOnToNext();
    this.#options.events.onFinished(reply);
  }
  #goOnToNext(): void {
    const next = this.#next;
    this.#next = undefined;
    this.#isInterjecting = false;
    this.#followsLine = next !== undefined;
    if (next) this.#put(next);
  }
}
