import { z } from "zod";
import { countSchema, wholeFigureSchema } from "./bounds.ts";

/**
 * What was decided about the floor, that is who speaks: `duck` the agent spoke softly, `hold` it stopped for the time being,
 * `interrupt` for good, `go_on` it went on after one of these, `take_back` a question the brain had not answered yet was
 * withdrawn, `wait` a pause did not end the caller's turn, `end_turn` it did, `ignore` what was heard was not the caller's.
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

/** Why; docs/turn-taking.md says what each means. `other`: of a later version than who reads it. */
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

/** Decisions of a turn that are kept; the rest is counted. */
export const MAX_FLOOR_DECISIONS = 32;

/** One decision. Codes and figures only: nothing of what was said is in it. */
const floorDecisionSchema = z.object({
  /** Since the call began. */
  atMs: wholeFigureSchema,
  decision: z.enum(FLOOR_DECISIONS),
  reason: z.enum(FLOOR_REASONS),
  /** The silence before it: of `end_turn` and `wait`. */
  afterMs: wholeFigureSchema.optional(),
  /** How many words were heard: of `interrupt`, `take_back` and `end_turn`. */
  words: countSchema.optional(),
});
export type RecordedFloorDecision = z.infer<typeof floorDecisionSchema>;

/** The decisions of one turn, in their order: what led to it, and what happened over its answer. Turn 0 is the greeting's. */
export const turnFloorSchema = z.object({
  turn: countSchema,
  decisions: z.array(floorDecisionSchema).max(MAX_FLOOR_DECISIONS),
  /** So many more were made. */
  dropped: countSchema,
});
export type TurnFloor = z.infer<typeof turnFloorSchema>;

/**
 * The same in an event of a gateway, which may be of a later version and know more decisions and reasons. Whatever is wrong
 * with it, the event it comes with is worth more.
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
