/**
 * All of the arithmetic of money: integers of a millionth of a US dollar (micros), never floats. Whatever rounds, rounds
 * here, half to even, so that errors of many rows cancel each other out.
 */

export const CURRENCY = "USD";
const MICROS_PER_CENT = 10_000n;
const DIGITS = 6;
const AMOUNT = /^(\d{1,12})(?:\.(\d{1,6}))?$/;

/** What a number of units costs: `micros` for each `per` units. */
export interface UnitPrice {
  readonly micros: bigint;
  readonly per: bigint;
}

/** The price of `quantity` units, in micros, to the next whole one. */
export function amountOf(quantity: bigint, { micros, per }: UnitPrice): bigint {
  return dividedHalfEven(quantity * micros, per);
}

/** To whole cents: what invoices and payments are in. */
export function toWholeCents(micros: bigint): bigint {
  return dividedHalfEven(micros, MICROS_PER_CENT) * MICROS_PER_CENT;
}

/** For payment providers. Throws `RangeError` for what is no whole number of cents. */
export function centsOf(micros: bigint): bigint {
  if (micros % MICROS_PER_CENT !== 0n) throw new RangeError(`${micros} micros are no whole cents`);
  return micros / MICROS_PER_CENT;
}

/** Of a whole number of cents. */
export function microsOfCents(cents: number): bigint {
  return BigInt(cents) * MICROS_PER_CENT;
}

/** What an amount of some time comes to in a longer one, if it goes on like that; itself where no time has passed. */
export function shareOfTime(micros: bigint, { ofMs, inMs }: { ofMs: number; inMs: number }): bigint {
  return ofMs <= 0 ? micros : dividedHalfEven(micros * BigInt(inMs), BigInt(ofMs));
}

/** What of an amount goes to a part of a whole, which is above 0: the tax in a part of an invoice, say. */
export function partOf(micros: bigint, { part, whole }: { part: bigint; whole: bigint }): bigint {
  return dividedHalfEven(micros * part, whole);
}

/** A share in millionths, of a tax, say. */
export function shareOf(micros: bigint, millionths: bigint): bigint {
  return dividedHalfEven(micros * millionths, 1_000_000n);
}

/** `1234500n` is "1.2345"; at least two decimals, at most six. */
export function toDecimal(micros: bigint): string {
  const sign = micros < 0n ? "-" : "";
  const text = (micros < 0n ? -micros : micros).toString().padStart(DIGITS + 1, "0");
  const fraction = text.slice(-DIGITS).replace(/0{1,4}$/, "");
  return `${sign}${text.slice(0, -DIGITS)}.${fraction}`;
}

/** The micros of "1.2345"; undefined for what is no amount of 0 or more. */
export function parseDecimal(text: string): bigint | undefined {
  const match = AMOUNT.exec(text);
  if (!match) return undefined;
  const [, whole = "", fraction = ""] = match;
  return BigInt(whole + fraction.padEnd(DIGITS, "0"));
}

/** `denominator` is above 0. */
function dividedHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (numerator < 0n) return -dividedHalfEven(-numerator, denominator);
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const isUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}
