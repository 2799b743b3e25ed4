import { z } from "zod";

/** The error body of both APIs; a 4xx says what to change. */
export const errorBodySchema = z.object({
  success: z.literal(false),
  error: z.string(),
  code: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  /** For status 500 and above: identifies the operator's log line. Every response has it as `x-request-id`. */
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** The dashboard API (`/api` without `v1`) wraps its answers; `/api/v1` is flat. */
export function wrapped<T extends z.ZodType>(data: T) {
  return z.object({ success: z.literal(true), data });
}
