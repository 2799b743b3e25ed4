import { z } from "zod";

/**
 * Verdicts of `call.machine_detected` on a machine (docs/webhooks.md#callmachine_detected); `call.ended` has more
 * values for who answered.
 */
export const MACHINE_VERDICTS = [
  "machine_start",
  "machine_end_beep",
  "machine_end_silence",
  "machine_end_other",
  "machine",
  "machine_text_detect",
] as const;

/** Any other kind of machine, such as a fax, reads as `machine`. */
export const machineVerdictSchema = z.enum(MACHINE_VERDICTS).catch("machine");
