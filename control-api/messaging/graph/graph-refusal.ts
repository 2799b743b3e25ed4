import { z } from "zod";

/** An error that the Graph API returned in place of a result. */
export interface GraphRefusal {
  /** HTTP status. */
  readonly status: number;
  readonly code: number;
  readonly subcode: number | undefined;
  readonly message: string;
  readonly details: string | undefined;
}

const MAX_CHARS = 300;

const refusal = z.object({
  error: z.object({
    code: z.number(),
    error_subcode: z.number().optional().catch(undefined),
    message: z.string().default(""),
    error_data: z.object({ details: z.string().optional() }).optional().catch(undefined),
  }),
});

/** Returns undefined if the response is not a refusal. */
export function refusalIn(status: number, body: unknown): GraphRefusal | undefined {
  const { data } = refusal.safeParse(body);
  if (!data) return undefined;
  const { code, error_subcode: subcode, message, error_data: more } = data.error;
  const words = { message: message.slice(0, MAX_CHARS), details: more?.details?.slice(0, MAX_CHARS) };
  return { status, code, subcode, ...words };
}
