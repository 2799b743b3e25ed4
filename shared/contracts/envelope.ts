import { z } from "zod";

/** Every error of both surfaces; a 4xx says what to change. */
export const errorBodySchema = z.object({
  success: z.literal(false),
  error: z.string(),
  code: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  /** Of status 500 and above: by it the operator finds the log line. Every answer has it as `x-request-id`. */
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** The dashboard API (`/api` without `v1`) wraps its answers; `/api/v1` is flat. */
export function wrapped<T extends z.ZodType>(data: T) {
  return z.object({ success: z.literal(true), data });
}
