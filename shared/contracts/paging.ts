import { z } from "zod";

/** Bounds of a whole number in a query, and what an absent one means. */
export interface QueryBounds {
  readonly min: number;
  readonly max: number;
  readonly usual: number;
}

/** A whole number of a query. `?limit=` without a value is the same as no `limit` at all. */
export function queryInt({ min, max, usual }: QueryBounds) {
  return (
    z
      .preprocess((given) => (given === "" ? usual : given), z.coerce.number().int().min(min).max(max))
      .default(usual)
      // JSON Schema leaves out the default of what is read through a function.
      .describe(`${usual} when absent.`)
  );
}

const USUAL_LIMIT = 50;

/** How many rows a page of a list has: 1 to `most`. */
export function pageLimit(most: number, usual = USUAL_LIMIT) {
  return queryInt({ min: 1, max: most, usual });
}

/** The same, where a number outside of the bounds is moved to the nearest one and nonsense is no error. */
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
      // JSON Schema leaves out the default of what is read through a function.
      .describe(`${usual} when absent.`)
  );
}
