import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";
import { pageLimit } from "./paging.ts";
import { e164Schema } from "./telephony.ts";

/** `/api/orgs/{orgId}/dnc`: numbers that nobody in an organization calls. */

/** Maximum numbers per request. */
export const MAX_DNC_NUMBERS = 1_000;
export const MAX_CSV_CHARS = 2_000_000;
/** Maximum size of a request that brings a list: a CSV file of letters that take three bytes each, and what surrounds it. */
export const MAX_LIST_BYTES = 8 * 1_048_576;

/** How a number came to be on the list. */
export const DNC_SOURCES = ["member", "import", "call", "key", "message", "whatsapp"] as const;
export type DncSource = (typeof DNC_SOURCES)[number];

const reason = z.string().trim().max(200).default("");
const numbers = z.array(z.string().max(64)).min(1).max(MAX_DNC_NUMBERS);

export const addDncSchema = z.strictObject({ numbers, reason });
export type AddDnc = z.infer<typeof addDncSchema>;

export const importDncSchema = z.strictObject({
  /** With a header row, or numbers alone. */
  csv: z.string().min(1).max(MAX_CSV_CHARS),
  reason,
});
export type ImportDnc = z.infer<typeof importDncSchema>;

export const checkDncSchema = z.strictObject({ numbers });

/** A refused row and the reason. Rows count from 1, excluding the header. */
export const refusedRowSchema = z.object({ row: z.int(), value: z.string(), why: z.string() });
export type RefusedRow = z.infer<typeof refusedRowSchema>;

export const dncAddedSchema = z.object({
  added: z.int(),
  /** Numbers already on the list, or repeated. */
  duplicates: z.int(),
  /** The first hundred refused rows. */
  refused: z.array(refusedRowSchema),
  refusedTotal: z.int(),
});
export type DncAdded = z.infer<typeof dncAddedSchema>;

export const dncNumberSchema = z.object({
  number: z.string(),
  reason: z.string(),
  source: z.enum(DNC_SOURCES),
  /** The call or chat in which the person asked for it. */
  sessionId: z.string().nullable(),
  createdAt: z.string(),
});
export type DncNumber = z.infer<typeof dncNumberSchema>;

export const dncQuerySchema = z.object({
  /** Digits within the number. */
  search: z.string().trim().max(32).optional(),
  /** The last number of the previous page. */
  before: e164Schema.optional(),
  limit: pageLimit(500),
});
export type DncQuery = z.infer<typeof dncQuerySchema>;
export const dncParamsSchema = orgParamsSchema.extend({ number: e164Schema });

export const dncListResponseSchema = wrapped(
  /** Newest first; `total` counts all matches. */
  z.object({ numbers: z.array(dncNumberSchema), total: z.int() }),
);
export const dncAddedResponseSchema = wrapped(dncAddedSchema);
export const dncCheckedResponseSchema = wrapped(
  /** Those of the given numbers that may not be called. */
  z.object({ blocked: z.array(z.string()) }),
);
export const dncDeletedResponseSchema = wrapped(z.object({ number: z.string() }));
