import { z } from "zod";
import { countSchema, wholeFigureSchema } from "./bounds.ts";

/**
 * Decisions about the floor, that is, who speaks: `duck` the agent lowered its voice, `hold` it paused, `interrupt`
 * it stopped for good, `go_on` it continued after one of these, `take_back` an unanswered question to the brain was
 * withdrawn, `wait` a pause did not end the caller's turn, `end_turn` it did, `ignore` what was heard was not the
 * caller's.
 */
export const FLOOR_DECISIONS = [
  "duck",
  "hold",
  "interrupt",
  "go_on",
  "take_back",
  "wait",
  "end_turn",
  "ignore",
] as const;
export type FloorDecisionName = (typeof FLOOR_DECISIONS)[number];

/** Reasons, explained in docs/turn-taking.md. `other`: a reason from a later version than the reader's. */
export const FLOOR_REASONS = [
  "voice",
  "words",
  "typed",
  "keys",
  "call",
  "own_voice",
  "own_words",
  "listening",
  "no_words",
  "words_awaited",
  "complete",
  "unfinished",
  "model_complete",
  "model_unfinished",
  "as_asked",
  "speech_end",
  "text_stable",
  "too_long",
  "no_final",
  "other",
] as const;
export type FloorReason = (typeof FLOOR_REASONS)[number];

/** Maximum decisions kept per turn; the rest are only counted. */
export const MAX_FLOOR_DECISIONS = 32;

/** One decision: codes and figures only, nothing of what was said. */
const floorDecisionSchema = z.object({
  /** Time since the call began. */
  atMs: wholeFigureSchema,
  decision: z.enum(FLOOR_DECISIONS),
  reason: z.enum(FLOOR_REASONS),
  /** The preceding silence; for `end_turn` and `wait`. */
  afterMs: wholeFigureSchema.optional(),
  /** Words heard; for `interrupt`, `take_back`, and `end_turn`. */
  words: countSchema.optional(),
});
export type RecordedFloorDecision = z.infer<typeof floorDecisionSchema>;

/**
 * The decisions of one turn in order: those that led to it, and those made during its answer. Turn 0 is the
 * greeting's.
 */
export const turnFloorSchema = z.object({
  turn: countSchema,
  decisions: z.array(floorDecisionSchema).max(MAX_FLOOR_DECISIONS),
  /** Number of further decisions that were not kept. */
  dropped: countSchema,
});
export type TurnFloor = z.infer<typeof turnFloorSchema>;

/**
 * A turn's decisions in an event of a gateway, which may run a later version with more decisions and reasons. Never
 * fails on an invalid floor, because the event that carries it matters more.
 */
export const toldFloorSchema = z
  .array(
    turnFloorSchema.extend({
      decisions: z
        .array(floorDecisionSchema.extend({ reason: z.enum(FLOOR_REASONS).catch("other") }))
        .max(MAX_FLOOR_DECISIONS),
    }),
  )
  .optional()
  .catch(undefined);
