import { z } from "zod";

/** Bounds of a whole number in a query, and its default. */
export interface QueryBounds {
  readonly min: number;
  readonly max: number;
  readonly usual: number;
}

/** A whole number in a query. `?limit=` without a value equals an absent `limit`. */
export function queryInt({ min, max, usual }: QueryBounds) {
  return (
    z
      .preprocess((given) => (given === "" ? usual : given), z.coerce.number().int().min(min).max(max))
      .default(usual)
      // JSON Schema omits the default of a value read through a function.
      .describe(`${usual} when absent.`)
  );
}

const USUAL_LIMIT = 50;

/** The number of rows in a page of a list: 1 to `most`. */
export function pageLimit(most: number, usual = USUAL_LIMIT) {
  return queryInt({ min: 1, max: most, usual });
}

/** A page limit that clamps a number outside the bounds and does not reject nonsense. */
export function clampedPageLimit(most: number, usual = USUAL_LIMIT) {
  return (
    z
      .preprocess(
        (given) => (given === "" ? usual : given),
        z.coerce
          .number()
          .catch(usual)
          .transform((limit) => Math.min(most, Math.max(1, Math.trunc(limit)))),
      )
      .default(usual)
      // JSON Schema omits the default of a value read through a function.
      .describe(`${usual} when absent.`)
  );
}

/**
 * `before` of a list whose ids begin with `prefix`. Any other text has a place among them, too: pages would begin anew for
 * ever, or seem to be over.
 */
export function beforeId(prefix: string) {
  return z
    .string()
    .max(64)
    .startsWith(prefix, "nextBefore of a page, or the id of its last entry")
    .optional();
}
