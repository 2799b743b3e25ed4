import type { KeptClauses } from "@parley/media/tts/kept-speech.ts";
import type { TtsReply } from "@parley/media/tts/port.ts";
import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";
import { clausesOf } from "../pipeline/clauses.ts";

/** What an agent may have to say in any call, in the order of how much it hurts to wait for it; not its first response. */
export function linesToKeep({
  brain,
  waiting,
  outage,
  silence,
}: Pick<CallPlan, "brain" | "waiting" | "outage" | "silence">): string[] {
  const lines = [brain.fallbackLine, waiting.line, waiting.againLine, outage.hearingLine, ...silence.prompts];
  return lines.filter((line) => line !== "");
}

/** Speaks the clauses of these lines that are not kept yet, one after the other. Ends early when the voice fails. */
export async function keepLines(
  lines: readonly string[],
  { kept, open, signal }: { kept: KeptClauses; open: (signal: AbortSignal) => TtsReply; signal: AbortSignal },
): Promise<void> {
  const missing = lines.flatMap(clausesOf).filter((clause) => !kept.has(clause));
  if (missing.length === 0 || signal.aborted) return;
  const voice = open(signal);
  try {
    for (const clause of missing) {
      for await (const _ of voice.say(clause)) if (signal.aborted) return;
    }
  } catch {
    // The fallback has told of the failure; who has to say the line asks again.
  } finally {
    voice.close();
  }
}
