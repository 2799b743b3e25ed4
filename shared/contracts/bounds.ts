import { z } from "zod";

/** The largest `integer` of Postgres. */
export const MAX_INT4 = 2_147_483_647;

/**
 * A figure somebody measured, in ms or s. What is larger than a column holds (24 days of ms) is kept as the largest
 * one: what happened is worth more than a figure that cannot be true.
 */
export const figureSchema = bounded(z.number().min(0));

/** The same in whole ones. */
export const wholeFigureSchema = bounded(z.int().min(0));

/** Counts up within a call. */
export const countSchema = z.int().min(0).max(MAX_INT4);

function bounded(schema: z.ZodNumber) {
  return z.codec(schema, z.number().max(MAX_INT4), {
    decode: (value) => Math.min(value, MAX_INT4),
    encode: (value) => value,
  });
}
