import { z } from "zod";

/** What `call.machine_detected` says of a machine (docs/webhooks.md#callmachine_detected); `call.ended` has more words for who answered. */
export const MACHINE_VERDICTS = [
  "machine_start",
  "machine_end_beep",
  "machine_end_silence",
  "machine_end_other",
  "machine",
  "machine_text_detect",
] as const;

/** A machine of any other kind, as a fax is, is `machine`. */
export const machineVerdictSchema = z.enum(MACHINE_VERDICTS).catch("machine");
