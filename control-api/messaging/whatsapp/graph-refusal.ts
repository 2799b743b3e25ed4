import { z } from "zod";

/** What the Graph API answered in the place of a result. */
export interface GraphRefusal {
  /** Of HTTP. */
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly details: string | undefined;
}

const MAX_CHARS = 300;

const refusal = z.object({
  error: z.object({
    code: z.number(),
    message: z.string().default(""),
    error_data: z.object({ details: z.string().optional() }).optional().catch(undefined),
  }),
});

/** Undefined when it is not one. */
export function refusalIn(status: number, body: unknown): GraphRefusal | undefined {
  const { data } = refusal.safeParse(body);
  if (!data) return undefined;
  const { code, message, error_data: more } = data.error;
  return { status, code, message: message.slice(0, MAX_CHARS), details: more?.details?.slice(0, MAX_CHARS) };
}
