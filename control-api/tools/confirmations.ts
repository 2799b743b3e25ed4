import type { Keys } from "@parley/shared/bus/bus.ts";
import { consentIn } from "@parley/shared/consent.ts";
import { z } from "zod";

/** How long a question is remembered; callers answer at once, people in a chat take longer. */
const TTL_MS = 60 * 60_000;
/** The answer may come after an aside or two, not whenever somebody says yes to something. */
const MAX_TURNS_BETWEEN = 3;

const questionSchema = z.object({ turn: z.number().int() });

/** What is to be done, and what was said in the turn in which it is to be done. */
export interface Asked {
  readonly sessionId: string;
  /** Names the tool and its arguments: another order of the same tool is another question. */
  readonly fingerprint: string;
  readonly turn: number;
  readonly said: string;
  readonly unheardTurn?: number | undefined;
}

/**
 * Whether the caller has said yes: in a turn after the one in which it was asked for. Until then it is not done, whatever
 * the model makes of what was said. A yes is good for once.
 */
export async function confirmed(
  asked: Asked,
  keys: Keys,
): Promise<"yes" | "confirmation_required" | "confirmation_denied"> {
  const { sessionId, fingerprint, turn, said, unheardTurn } = asked;
  const key = `tool-question:${sessionId}:${fingerprint}`;
  const before = await keys.get(key);
  const question = before === undefined ? undefined : questionSchema.parse(JSON.parse(before));
  const isLater = question !== undefined && turn > question.turn && question.turn !== unheardTurn;
  const isFresh = isLater && turn - question.turn <= MAX_TURNS_BETWEEN;
  const consent = isFresh ? consentIn(said) : "unclear";
  // Of two processes that hear the same yes, one does it.
  if (consent === "yes" && (await keys.take(key)) !== undefined) return "yes";
  if (consent === "no") {
    await keys.delete(key);
    return "confirmation_denied";
  }
  await keys.set(key, JSON.stringify({ turn }), TTL_MS);
  return "confirmation_required";
}
