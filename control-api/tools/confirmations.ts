import type { Keys } from "@parley/shared/bus/bus.ts";
import { consentIn } from "@parley/shared/consent.ts";
import { z } from "zod";

/** How long a question stays open: callers answer at once, chat users take longer. */
const TTL_MS = 60 * 60_000;
/** Allows an aside or two before the answer, but no unrelated yes later. */
const MAX_TURNS_BETWEEN = 3;

const questionSchema = z.object({ turn: z.number().int() });

/** The action to confirm, and the caller's words in the turn that requests it. */
export interface Asked {
  readonly sessionId: string;
  /** Identifies the tool and its arguments: other arguments are another question. */
  readonly fingerprint: string;
  readonly turn: number;
  readonly said: string;
  readonly unheardTurn?: number | undefined;
}

/**
 * Whether the caller said yes in a turn after the one that first asked for the action. Until then the tool does not
 * run, whatever the model makes of the conversation. A yes is valid once.
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
  // If two processes see the same yes, only one acts on it.
  if (consent === "yes" && (await keys.take(key)) !== undefined) return "yes";
  if (consent === "no") {
    await keys.delete(key);
    return "confirmation_denied";
  }
  await keys.set(key, JSON.stringify({ turn }), TTL_MS);
  return "confirmation_required";
}
