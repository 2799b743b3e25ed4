import type { KeptClauses } from "@parley/media/tts/kept-speech.ts";
import type { TtsReply } from "@parley/media/tts/port.ts";
import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";
import { clausesOf } from "../pipeline/clauses.ts";

/** Lines that an agent may need in any call, worst to wait for first; without its first response. */
export function linesToKeep({
  brain,
  waiting,
  outage,
  silence,
}: Pick<CallPlan, "brain" | "waiting" | "outage" | "silence">): string[] {
  const lines = [brain.fallbackLine, waiting.line, waiting.againLine, outage.hearingLine, ...silence.prompts];
  return lines.filter((line) => line !== "");
}

/** Speaks the clauses of these lines that are not kept yet, one after the other. Stops early if the voice fails. */
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
    // The fallback has reported the failure; whoever needs the line requests it again.
  } finally {
    voice.close();
  }
}
