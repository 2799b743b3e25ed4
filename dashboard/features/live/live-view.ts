import type { CallRecord } from "@parley/shared/contracts/calls.ts";
import type { FrameData, StreamFrame } from "@parley/shared/contracts/stream-frames.ts";

type Role = FrameData<"call.turn">["role"];
type Said = Pick<CallRecord["transcript"][number], "role" | "turn" | "text" | "interrupted">;

/** A line of the live conversation. */
export interface LiveLine extends Said {
  readonly key: string;
  /** A partial: its words may still change. */
  readonly isOpen: boolean;
}

/** An event that only the stream reports. */
export interface Moment {
  readonly key: string;
  readonly atMs: number;
  readonly what:
    | { readonly is: "interruption"; readonly turn: number }
    | { readonly is: "silence"; readonly silentMs: number; readonly action: "prompt" | "hangup" }
    | { readonly is: "node"; readonly node: string };
}

/** Everything one call's stream has reported. */
export interface LiveView {
  /** Final lines that the record does not have yet. */
  readonly said: readonly Said[];
  readonly open: Readonly<Partial<Record<Role, { readonly turn: number; readonly text: string }>>>;
  /** The side whose words are arriving. */
  readonly speaker: Role | undefined;
  readonly moments: readonly Moment[];
  readonly ended: FrameData<"call.ended"> | undefined;
}

export const NOTHING_YET: LiveView = {
  said: [],
  open: {},
  speaker: undefined,
  moments: [],
  ended: undefined,
};

/** The record is reread long before this many lines are waiting for it. */
const MAX_SAID = 50;
const MAX_MOMENTS = 200;

/** Applies one frame to the view. Pure; `atMs` is the time of arrival. */
export function nextView(view: LiveView, frame: StreamFrame, atMs: number): LiveView {
  switch (frame.topic) {
    case "call.transcript_partial":
      return withPartial(view, frame.data);
    case "call.turn":
      return withTurn(view, frame.data);
    case "call.barge_in":
      return withMoment(view, { is: "interruption", turn: frame.data.turn }, atMs);
    case "call.silence":
      return withMoment(view, { is: "silence", ...frame.data }, atMs);
    case "call.node_entered":
      return withMoment(view, { is: "node", node: frame.data.node }, atMs);
    case "call.ended":
      return { ...view, open: {}, speaker: undefined, ended: frame.data };
    case "call.dtmf":
    case "stream.gap":
      return view;
  }
}

function withPartial(view: LiveView, { role, turn, text }: FrameData<"call.transcript_partial">): LiveView {
  if (text === "") return without(view, role);
  return { ...view, open: { ...view.open, [role]: { turn, text } }, speaker: role };
}

function withTurn(view: LiveView, said: FrameData<"call.turn">): LiveView {
  const closed = without(view, said.role);
  const { assistant } = closed.open;
  // An answer overtaken by the caller's next words was never heard.
  const isUnheard = said.role === "user" && assistant !== undefined && assistant.turn < said.turn;
  const { open, speaker } = isUnheard ? without(closed, "assistant") : closed;
  return { ...view, open, speaker, said: [...view.said, said].slice(-MAX_SAID) };
}

function without(view: LiveView, role: Role): LiveView {
  const { [role]: _, ...open } = view.open;
  return { ...view, open, speaker: view.speaker === role ? undefined : view.speaker };
}

function withMoment(view: LiveView, what: Moment["what"], atMs: number): LiveView {
  const key = `${what.is}-${atMs}-${view.moments.length}`;
  return { ...view, moments: [...view.moments, { key, atMs, what }].slice(-MAX_MOMENTS) };
}

/**
 * The conversation: the record's lines, lines known only from the stream, and partials. Lines with equal
 * words in the same turn appear as often as the record has them.
 */
export function linesOf(transcript: readonly Said[], view: Pick<LiveView, "said" | "open">): LiveLine[] {
  const kept = new Map<string, number>();
  for (const said of transcript) kept.set(keyOf(said), (kept.get(keyOf(said)) ?? 0) + 1);
  const fresh = view.said.filter((said) => {
    const count = kept.get(keyOf(said)) ?? 0;
    kept.set(keyOf(said), count - 1);
    return count <= 0;
  });
  const complete = [...transcript, ...fresh].map((said, index) => ({
    ...said,
    key: `${index}-${said.role}-${said.turn}`,
    isOpen: false,
  }));
  const open = (["user", "assistant"] as const).flatMap((role) => {
    const words = view.open[role];
    if (!words) return [];
    return [{ ...words, role, interrupted: false, key: `open-${role}`, isOpen: true }];
  });
  return [...complete, ...open.toSorted((a, b) => a.turn - b.turn)];
}

function keyOf({ role, turn, text }: Said): string {
  return `${role} ${turn} ${text}`;
}
