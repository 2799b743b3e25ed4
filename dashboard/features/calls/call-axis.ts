import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { type LatencyPart, partsOf } from "../talk/latency-scale.ts";
import { beganAtMs, type TimedLine, timedLines } from "./timed-lines.ts";
import { type TimelineItem, timelineOf } from "./timeline.ts";

/** Something with a length, in seconds on the call's clock. */
export interface AxisSpan {
  readonly key: string;
  readonly fromSecs: number;
  readonly toSecs: number;
  readonly text: string;
}

/** Something that happened at one time. */
export interface AxisMark {
  readonly key: string;
  readonly atSecs: number;
  readonly text: string;
  readonly isInterruption: boolean;
}

/** A turn: from its first line to the next turn's. */
export interface AxisTurn extends AxisSpan {
  readonly turn: number;
  readonly lines: readonly TimedLine[];
  /** How long the agent took to answer, in milliseconds. */
  readonly responseMs: number | undefined;
}

/** The time between the caller's last sound and the agent's first, where it was. */
export interface AxisResponse extends AxisSpan {
  readonly parts: readonly (LatencyPart & { readonly share: number })[];
}

/** A call laid out on one axis of time. */
export interface CallAxis {
  readonly lengthSecs: number;
  readonly turns: readonly AxisTurn[];
  readonly responses: readonly AxisResponse[];
  readonly tools: readonly AxisSpan[];
  readonly events: readonly AxisMark[];
}

/** An axis needs a length to divide by, also when nothing has happened yet. */
const SHORTEST_SECS = 1;

interface AxisOptions {
  /** Events that only a live call's stream reported. */
  readonly more?: readonly TimelineItem[];
  /** The axis reaches at least to here. */
  readonly untilSecs?: number;
}

/** Lays a call out on its clock. What was reported after its end stands at its end. */
export function axisOf(call: CallDetail, { more = [], untilSecs = 0 }: AxisOptions = {}): CallAxis {
  const beganMs = beganAtMs(call);
  const lines = timedLines(call);
  const lengthSecs = Math.max(
    SHORTEST_SECS,
    untilSecs,
    call.durationSecs ?? 0,
    call.recording?.durationSecs ?? 0,
    ...lines.slice(-1).map(({ toSecs }) => toSecs),
    // A live call and an open chat have no duration yet.
    ...(call.endTime === null ? call.tools.map(({ at }) => (Date.parse(at) - beganMs) / 1_000) : []),
  );
  const within = (secs: number): number => Math.min(lengthSecs, Math.max(0, secs));
  const events = timelineOf(call, more)
    .filter(({ kind }) => kind !== "tool")
    .map(({ key, atMs, text, kind }) => ({
      key,
      atSecs: within((atMs - beganMs) / 1_000),
      text,
      isInterruption: kind === "interruption",
    }));
  const tools = call.tools.map(({ name, status, latencyMs, at }, index) => {
    const toSecs = (Date.parse(at) - beganMs) / 1_000;
    return {
      key: `${index}-${at}`,
      fromSecs: within(toSecs - latencyMs / 1_000),
      toSecs: within(toSecs),
      text: `${name}: ${status} after ${latencyMs} ms`,
    };
  });
  return {
    lengthSecs,
    turns: turnsOf(call, lines, lengthSecs),
    responses: responsesOf(call, lines),
    tools,
    events,
  };
}

function turnsOf(call: CallDetail, lines: readonly TimedLine[], lengthSecs: number): AxisTurn[] {
  const groups: { turn: number; lines: TimedLine[] }[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last?.turn === line.turn) last.lines.push(line);
    else groups.push({ turn: line.turn, lines: [line] });
  }
  const responses = new Map(call.latency.map(({ turn, responseMs }) => [turn, responseMs]));
  return groups.map(({ turn, lines: own }, index) => ({
    key: `${index}-${turn}`,
    turn,
    lines: own,
    fromSecs: own[0]?.fromSecs ?? 0,
    toSecs: groups[index + 1]?.lines[0]?.fromSecs ?? lengthSecs,
    text: turnName(turn),
    responseMs: responses.get(turn),
  }));
}

/** A turn's name; turn 0 is what the agent says first. */
function turnName(turn: number): string {
  return turn === 0 ? "Greeting" : `Turn ${turn}`;
}

/** The waits that the record has a place for: without a line or a decision, nothing tells where the turn was. */
function responsesOf(call: CallDetail, lines: readonly TimedLine[]): AxisResponse[] {
  const decided = new Map(
    call.floor.flatMap(({ turn, decisions }) => {
      const end = decisions.findLast(({ decision }) => decision === "end_turn");
      return end === undefined ? [] : [[turn, (end.atMs - (end.afterMs ?? 0)) / 1_000] as const];
    }),
  );
  return call.latency.flatMap((latency) => {
    const { turn, responseMs, endOfTurnMs } = latency;
    const asked = lines.findLast((line) => line.turn === turn && line.role === "user");
    const fromSecs = decided.get(turn) ?? (asked && Math.max(0, asked.toSecs - endOfTurnMs / 1_000));
    if (fromSecs === undefined) return [];
    const parts = partsOf(latency);
    const totalMs = parts.reduce((sum, { ms }) => sum + ms, 0);
    return [
      {
        key: String(turn),
        fromSecs,
        toSecs: fromSecs + responseMs / 1_000,
        text: `${turnName(turn)}: answered after ${Math.round(responseMs)} ms`,
        parts: parts.map((part) => ({ ...part, share: totalMs === 0 ? 0 : part.ms / totalMs })),
      },
    ];
  });
}

const STEPS_SECS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400, 604_800,
] as const;

/** Round times for the axis, at most `most` of them. */
export function axisTicks(lengthSecs: number, most: number): readonly number[] {
  const step = STEPS_SECS.find((each) => lengthSecs / each <= most) ?? Math.ceil(lengthSecs / most);
  return Array.from({ length: Math.floor(lengthSecs / step) + 1 }, (_, index) => index * step).filter(
    // The mark of an end has no room for its time.
    (secs) => secs === 0 || lengthSecs - secs > step / 2,
  );
}
