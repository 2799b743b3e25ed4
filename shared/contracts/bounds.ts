import { z } from "zod";

/** The largest `integer` of Postgres. */
export const MAX_INT4 = 2_147_483_647;

/**
 * A measured figure, in ms or s. A figure too large for its column (24 days of ms) is clamped to the maximum: what
 * happened matters more than a figure that cannot be true.
 */
export const figureSchema = bounded(z.number().min(0));

/** A measured figure in whole units, clamped like `figureSchema`. */
export const wholeFigureSchema = bounded(z.int().min(0));

/** A counter within a call. */
export const countSchema = z.int().min(0).max(MAX_INT4);

function bounded(schema: z.ZodNumber) {
  return z.codec(schema, z.number().max(MAX_INT4), {
    decode: (value) => Math.min(value, MAX_INT4),
    encode: (value) => value,
  });
}
