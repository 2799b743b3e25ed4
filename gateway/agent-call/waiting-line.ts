import type { TtsReply } from "@parley/media/tts/port.ts";
import type { AgentLine, BrainPart } from "@parley/shared/brain/client.ts";
import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";
import type { AudioOutput } from "../pipeline/audio-output.ts";
import type { Reply } from "../pipeline/reply.ts";
import { runTurn } from "../pipeline/run-turn.ts";
import type { ConversationSink } from "./conversation-ports.ts";

export interface WaitingLineDeps {
  readonly lines: Pick<CallPlan["waiting"], "line" | "againLine">;
  readonly output: AudioOutput;
  readonly openVoice: (signal: AbortSignal) => TtsReply;
  readonly now: () => number;
  readonly after: (ms: number, fn: () => void) => () => void;
  readonly sink: ConversationSink;
  /** Reports what was heard of the line. */
  readonly onHeard: (line: AgentLine) => void;
}

/**
 * "One moment, please" and later in the same turn "I'm still on it", said while the caller waits for an answer. The
 * line is not part of the answer, which follows it in the output without waiting for its end; the floor does not
 * change.
 */
export class WaitingLine {
  readonly #deps: WaitingLineDeps;
  /** The turn in which the line was said; a second time in that turn uses the other line. */
  #turn: number | undefined;
  #said: { readonly turn: number; readonly reply: Reply; readonly generation: AbortController } | undefined;

  constructor(deps: WaitingLineDeps) {
    this.#deps = deps;
  }

  get isBeingSaid(): boolean {
    return this.#said !== undefined;
  }

  say(turn: number): void {
    const { lines, output, openVoice, after } = this.#deps;
    if (this.#said) return;
    const text = turn === this.#turn ? lines.againLine : lines.line;
    this.#turn = turn;
    const generation = new AbortController();
    const reply = output.interject(turn);
    this.#said = { turn, reply, generation };
    void runTurn(
      reply,
      {
        request: () => asPart(text),
        openVoice,
        clauseOptions: { clauseFlushMs: 0, after },
        control: () => undefined,
        fallbackLine: "",
        onBrainFailed: () => undefined,
        // The answer loses nothing here: its own voice shows later whether it can be spoken.
        onVoiceFailed: () => undefined,
        onVoiceAsked: () => undefined,
        onVoiceHeard: () => undefined,
        onWritten: () => output.reply === reply && output.tick(),
      },
      generation.signal,
    );
  }

  /** Drops the line, and what waits behind it in the output: the caller talks over it, or something else is said. */
  drop(): void {
    const said = this.#said;
    if (!said) return;
    const { output, now } = this.#deps;
    this.#said = undefined;
    said.generation.abort();
    if (said.reply.hasAudio) output.hold();
    this.#tell(said.turn, said.reply.heardText(now()), true);
    output.drop();
  }

  /** True if the output has come to the end of this line. */
  finished(reply: Reply): boolean {
    const said = this.#said;
    if (said?.reply !== reply) return false;
    this.#said = undefined;
    said.generation.abort();
    const isWhole = reply.isFullyWritten;
    this.#tell(said.turn, isWhole ? reply.text : reply.heardText(this.#deps.now()), !isWhole);
    return true;
  }

  #tell(turn: number, text: string, interrupted: boolean): void {
    if (text === "") return;
    this.#deps.onHeard({ turn, text });
    this.#deps.sink.onMessage({
      turn,
      role: "assistant",
      text,
      wholeText: text,
      interrupted,
      source: "agent",
    });
  }
}

async function* asPart(text: string): AsyncIterable<BrainPart> {
  yield { type: "token", text };
}
