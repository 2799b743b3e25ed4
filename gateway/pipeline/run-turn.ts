import { endsSentence } from "@parley/media/sentences/boundaries.ts";
import type { TtsReply } from "@parley/media/tts/port.ts";
import type { BrainPart } from "@parley/shared/brain/client.ts";
import type { BrainControl } from "@parley/shared/contracts/brain-control.ts";
import { type ClauseOptions, clausesOf, intoClauses, type SpeechStep } from "./clauses.ts";
import type { Reply } from "./reply.ts";

/** What one turn needs from its surroundings. */
export interface TurnStages {
  /** Streams the brain's answer; throws `BrainError`. */
  readonly request: () => AsyncIterable<BrainPart>;
  /** Opens the voice for this answer. */
  readonly openVoice: (signal: AbortSignal) => TtsReply;
  readonly clauseOptions: ClauseOptions;
  /** Carries out a control event at its place in the answer. */
  readonly control: (control: BrainControl, reply: Reply) => void;
  /** Said if the brain fails before anything was spoken, or inside a sentence. */
  readonly fallbackLine: string;
  readonly onBrainFailed: (error: unknown) => void;
  /** Every voice failed; the rest of the answer is not spoken. */
  readonly onVoiceFailed: (error: unknown) => void;
  /** Everything to be spoken was spoken. */
  readonly onVoiceWorked?: () => void;
  /** The voice got its first clause, and gave its first audio. */
  readonly onVoiceAsked: () => void;
  readonly onVoiceHeard: () => void;
  /** Audio or the end of the answer was written to the reply. */
  readonly onWritten: () => void;
}

/**
 * Runs one turn in a straight line: request → clauses → voice. Meanwhile the output plays what is written to `reply` at
 * its own pace. Never throws; an aborted `signal` ends the turn early.
 */
export async function runTurn(reply: Reply, stages: TurnStages, signal: AbortSignal): Promise<void> {
  const voice = stages.openVoice(signal);
  try {
    for await (const step of answer(reply, stages, signal)) {
      // A tool that ran is reported whatever became of the turn, even if the abort cut the tool off.
      const isReport = step.type === "control" && step.control.event === "tool";
      if (signal.aborted && !isReport) continue;
      if (step.type === "control") stages.control(step.control, reply);
      else await speak(step.text, voice, { reply, stages, signal });
    }
    if (reply.hasAudio) stages.onVoiceWorked?.();
  } catch (error) {
    if (!signal.aborted) stages.onVoiceFailed(error);
  } finally {
    voice.close();
    reply.complete();
    stages.onWritten();
  }
}

/** The brain's clauses; the fallback line follows if the brain fails before a word was spoken or inside a sentence. */
async function* answer(reply: Reply, stages: TurnStages, signal: AbortSignal): AsyncIterable<SpeechStep> {
  try {
    yield* intoClauses(stages.request(), stages.clauseOptions);
  } catch (error) {
    if (signal.aborted) return;
    stages.onBrainFailed(error);
    const last = reply.clauses.at(-1)?.text;
    if (last !== undefined && endsSentence(last)) return;
    for (const text of clausesOf(stages.fallbackLine)) yield { type: "clause", text };
  }
}

async function speak(
  text: string,
  voice: Pick<TtsReply, "say">,
  { reply, stages, signal }: { reply: Reply; stages: TurnStages; signal: AbortSignal },
): Promise<void> {
  reply.beginClause(text);
  if (reply.clauses.length === 1) stages.onVoiceAsked();
  for await (const samples of voice.say(text, reply.times)) {
    if (signal.aborted) return;
    if (!reply.hasAudio) stages.onVoiceHeard();
    reply.write(samples);
    stages.onWritten();
    await reply.room();
  }
  reply.endClause();
  stages.onWritten();
}
