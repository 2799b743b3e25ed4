/**
 * All money arithmetic: integers of a millionth of a US dollar (micros), never floats. All rounding happens here, half
 * to even, so that the errors of many rows cancel out.
 */

export const CURRENCY = "USD";
const MICROS_PER_CENT = 10_000n;
/** Of a percentage: 19 is 19,000,000 micros and 190,000 millionths. */
const MICROS_PER_MILLIONTH = 100n;
const DIGITS = 6;
const AMOUNT = /^(\d{1,12})(?:\.(\d{1,6}))?$/;

/** What a number of units costs: `micros` for each `per` units. */
export interface UnitPrice {
  readonly micros: bigint;
  readonly per: bigint;
}

/** The price of `quantity` units, rounded to whole micros. */
export function amountOf(quantity: bigint, { micros, per }: UnitPrice): bigint {
  return dividedHalfEven(quantity * micros, per);
}

/** Rounds to whole cents, the unit of invoices and payments. */
export function toWholeCents(micros: bigint): bigint {
  return dividedHalfEven(micros, MICROS_PER_CENT) * MICROS_PER_CENT;
}

/** For payment providers. Throws `RangeError` unless the amount is a whole number of cents. */
export function centsOf(micros: bigint): bigint {
  if (micros % MICROS_PER_CENT !== 0n) throw new RangeError(`${micros} micros are no whole cents`);
  return micros / MICROS_PER_CENT;
}

/** `cents` must be a whole number. */
export function microsOfCents(cents: number): bigint {
  return BigInt(cents) * MICROS_PER_CENT;
}

/** Projects an amount of `ofMs` onto `inMs` at the same rate; returns the amount itself if no time has passed. */
export function shareOfTime(micros: bigint, { ofMs, inMs }: { ofMs: number; inMs: number }): bigint {
  return ofMs <= 0 ? micros : dividedHalfEven(micros * BigInt(inMs), BigInt(ofMs));
}

/** The share of an amount that falls to `part` of `whole` (above 0), such as the tax in part of an invoice. */
export function partOf(micros: bigint, { part, whole }: { part: bigint; whole: bigint }): bigint {
  return dividedHalfEven(micros * part, whole);
}

/** A share in millionths, such as a tax. */
export function shareOf(micros: bigint, millionths: bigint): bigint {
  return dividedHalfEven(micros * millionths, 1_000_000n);
}

/** Formats `1234500n` as "1.2345", with two to six decimals. */
export function toDecimal(micros: bigint): string {
  const sign = micros < 0n ? "-" : "";
  const text = (micros < 0n ? -micros : micros).toString().padStart(DIGITS + 1, "0");
  const fraction = text.slice(-DIGITS).replace(/0{1,4}$/, "");
  return `${sign}${text.slice(0, -DIGITS)}.${fraction}`;
}

/** The micros of "1.2345"; undefined unless the text is an amount of 0 or more. */
export function parseDecimal(text: string): bigint | undefined {
  const match = AMOUNT.exec(text);
  if (!match) return undefined;
  const [, whole = "", fraction = ""] = match;
  return BigInt(whole + fraction.padEnd(DIGITS, "0"));
}

/** The millionths of "19" percent; undefined unless it is a percentage with at most four decimals. */
export function millionthsOf(percent: string): bigint | undefined {
  const micros = parseDecimal(percent);
  return micros === undefined || micros % MICROS_PER_MILLIONTH !== 0n
    ? undefined
    : micros / MICROS_PER_MILLIONTH;
}

/** `denominator` must be above 0. */
function dividedHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (numerator < 0n) return -dividedHalfEven(-numerator, denominator);
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const isUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}
