import type { StreamFrame } from "@parley/shared/contracts/stream-frames.ts";

/** About as long as one spoken sentence. */
const WORDS = "I would like to book a table for two people tomorrow evening, if you have one.";

/** A frame as a gateway publishes it; its turn is its number, and its text starts with its creation time. */
export function stampedFrame(sessionId: string, number: number): string {
  const text = `${process.hrtime.bigint()} ${WORDS}`;
  const data = { turn: number, role: "user", text, interrupted: false } as const;
  const frame: StreamFrame = { topic: "call.turn", sessionId, data };
  return JSON.stringify(frame);
}

/** Number and time of a stamped frame; the time is `process.hrtime`'s, the same clock machine-wide. */
export function readStamp(frame: string): { number: number; atNs: bigint } {
  const { data } = JSON.parse(frame) as { data: { turn: number; text: string } };
  return { number: data.turn, atNs: BigInt(data.text.slice(0, data.text.indexOf(" "))) };
}
