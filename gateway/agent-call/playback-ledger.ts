import type { AgentLine } from "@parley/shared/brain/client.ts";
import type { Heard } from "@parley/shared/contracts/brain.ts";
import type { AudioOutput } from "../pipeline/audio-output.ts";
import type { Reply } from "../pipeline/reply.ts";
import type { ConversationSink } from "./conversation-ports.ts";
import { PlaybackHistory } from "./playback-history.ts";
import { endSpan, heardOf, type SpeechHandle } from "./speech-handle.ts";

/** How long the brain's next request waits for the caller's app to report how much it really played. */
const PLAYED_REPORT_WAIT_MS = 150;
/** An answer that was talked over with less than this left counts as heard to its end. */
const HEARD_TO_THE_END_MS = 150;

export interface PlaybackLedgerDeps {
  readonly output: Pick<AudioOutput, "awaitsPlayed" | "playedReported" | "drop">;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly sink: Pick<ConversationSink, "onMessage" | "onBargeIn">;
}

/** Tracks how much of each speech the caller heard; reports it to the record and keeps it for the brain. */
export class PlaybackLedger {
  readonly #deps: PlaybackLedgerDeps;
  readonly #history = new PlaybackHistory();
  /** The speech that was talked over; reported once the app has said how much it played. */
  #cut: SpeechHandle | undefined;
  #waitingTurns = 0;
  #turnsInOrder: Promise<void> = Promise.resolve();

  constructor(deps: PlaybackLedgerDeps) {
    this.#deps = deps;
  }

  /** True if a speech was talked over and what was heard of it has not been reported yet. */
  get hasCut(): boolean {
    return this.#cut !== undefined;
  }

  /** What the brain is told with the request for `turn`. */
  before(turn: number): { readonly heard: Heard | undefined; readonly lines: readonly AgentLine[] } {
    return { heard: this.#history.before(turn), lines: this.#history.lines };
  }

  /** Notes a line of the agent's own that was heard; the record learns of it elsewhere. */
  line(line: AgentLine): void {
    this.#history.line(line);
  }

  /** Ends the speech where it was held; `closeCut` reports what was heard of it. */
  cut(speech: SpeechHandle | undefined): void {
    this.#cut = speech;
  }

  /** True while the extent of a cut may still change what the next turn is told; that turn waits for `cutIsKnown`. */
  get awaitsCut(): boolean {
    return this.#waitingTurns > 0 || (this.hasCut && this.#deps.output.awaitsPlayed);
  }

  /**
   * Resolves when the app has reported how much of the cut speech it played, or at the deadline. Turns wait one after
   * the other, which keeps what was said in order.
   */
  async cutIsKnown(signal: AbortSignal): Promise<void> {
    this.#waitingTurns += 1;
    this.#turnsInOrder = this.#turnsInOrder.then(() => this.#playedOrDeadline(signal));
    await this.#turnsInOrder;
    this.#waitingTurns -= 1;
  }

  async #playedOrDeadline(signal: AbortSignal): Promise<void> {
    const { output, sleep } = this.#deps;
    const deadline = new AbortController();
    void sleep(PLAYED_REPORT_WAIT_MS, signal).then(() => deadline.abort());
    await output.playedReported(AbortSignal.any([signal, deadline.signal]));
  }

  /** Reports what was heard of the cut speech, as far as it is known now. */
  closeCut(): void {
    const cut = this.#cut;
    if (!cut) return;
    this.#cut = undefined;
    const { output, sink, now } = this.#deps;
    endSpan(cut, "interrupted", now());
    const extent = cut.reply ? this.#tellHeard(cut, cut.reply) : "cut";
    if (cut.reply && extent === "cut") {
      const heard = heardOf(cut.turn, cut.reply, now());
      if (cut.kind === "answer") this.#history.cut(heard);
      sink.onBargeIn(cut.turn, heard);
    }
    output.drop();
  }

  /** Reports what was heard of a speech that was given up. */
  abandoned(speech: SpeechHandle): void {
    const extent = speech.reply ? this.#tellHeard(speech, speech.reply) : "cut";
    if (extent === "cut") this.#rememberCut(speech);
  }

  /** Reports a speech that was played as far as its voice got. */
  finished(speech: SpeechHandle, reply: Reply): void {
    // If the last voice died, the rest of the text was not heard.
    const isWhole = reply.clauses.length === 0 || reply.isFullyWritten;
    if (isWhole) this.#tell(speech, reply.text, "whole");
    else {
      this.#tell(speech, reply.heardText(this.#deps.now()), "cut");
      this.#rememberCut(speech);
    }
  }

  #rememberCut({ kind, turn, reply }: SpeechHandle): void {
    if (kind !== "answer") return;
    const heard = reply && heardOf(turn, reply, this.#deps.now());
    if (heard && heard.text !== "") this.#history.cut(heard);
    else this.#history.abandon(turn);
  }

  #tellHeard(speech: SpeechHandle, reply: Reply): "whole" | "cut" {
    const nowMs = this.#deps.now();
    const isWhole = reply.isFullyWritten && reply.unheardMs(nowMs) <= HEARD_TO_THE_END_MS;
    const extent = isWhole ? "whole" : "cut";
    this.#tell(speech, isWhole ? reply.text : reply.heardText(nowMs), extent);
    return extent;
  }

  #tell(speech: SpeechHandle, text: string, extent: "whole" | "cut"): void {
    if (text === "") return;
    const source = speech.kind === "answer" ? "brain" : "agent";
    const interrupted = extent === "cut";
    const { turn } = speech;
    if (source === "agent") this.#history.line({ turn, text });
    this.#deps.sink.onMessage({ turn, role: "assistant", text, wholeText: text, interrupted, source });
  }
}
