import type { ServerMessage } from "@parley/shared/contracts/call-socket.ts";

export type TranscriptMessage = Extract<ServerMessage, { type: "transcript" }>;

/** One line of the conversation. `keys` are keypad presses by either side. */
export interface TranscriptEntry {
  readonly id: number;
  readonly role: "user" | "assistant" | "user-keys" | "agent-keys";
  readonly turn: number;
  readonly text: string;
  readonly final: boolean;
  /** The caller did not hear the end of it; the text ends at what was heard. */
  readonly interrupted: boolean;
}

/** Limit of lines on the page; a call of hours must not fill a phone's memory. */
const MAX_ENTRIES = 500;

/**
 * Applies partial and final text: to the open line of its role and turn, over a final one it extends or cuts,
 * or on a new line.
 */
export function withTranscript(
  entries: readonly TranscriptEntry[],
  message: TranscriptMessage,
): readonly TranscriptEntry[] {
  const { role, turn, text, final, interrupted = false } = message;
  if (role === "user" && final) entries = withoutUnheard(entries, turn);
  const at = entries.findLastIndex((entry) => entry.role === role && entry.turn === turn);
  const entry = entries[at];
  if (entry === undefined || (entry.final && !isSameUtterance(entry.text, text))) {
    return text === "" ? entries : append(entries, { role, turn, text, final, interrupted });
  }
  // Nothing of the line was heard, or it was not speech.
  if (text === "" && final) return entries.toSpliced(at, 1);
  return entries.with(at, { ...entry, text, final, interrupted });
}

/** Adds pressed keys; consecutive keys share a line. */
export function withKeys(
  entries: readonly TranscriptEntry[],
  keys: { readonly role: "user-keys" | "agent-keys"; readonly digits: string },
): readonly TranscriptEntry[] {
  const last = entries.at(-1);
  if (last?.role === keys.role) {
    return entries.with(-1, { ...last, text: last.text + keys.digits });
  }
  const turn = last?.turn ?? 0;
  return append(entries, { role: keys.role, turn, text: keys.digits, final: true, interrupted: false });
}

function append(
  entries: readonly TranscriptEntry[],
  entry: Omit<TranscriptEntry, "id">,
): readonly TranscriptEntry[] {
  const id = (entries.at(-1)?.id ?? 0) + 1;
  return [...entries, { ...entry, id }].slice(-MAX_ENTRIES);
}

/** Removes an answer without final text when the next turn began: it was never heard. */
function withoutUnheard(entries: readonly TranscriptEntry[], turn: number): readonly TranscriptEntry[] {
  return entries.filter((entry) => entry.final || entry.role !== "assistant" || entry.turn >= turn);
}

/** A second final text of the same turn either extends or cuts the first, or is another utterance. */
function isSameUtterance(before: string, after: string): boolean {
  return before.startsWith(after) || after.startsWith(before);
}
