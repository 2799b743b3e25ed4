import { setTimeout as delay } from "node:timers/promises";

/** Far above what the work takes on a machine that is not overloaded, far below what a person notices. */
const EVEN_MS = 25;

/**
 * Answers no sooner than 25 ms after the request came, so that the time of an answer does not tell whether somebody
 * has the identifier: an account that exists costs a few more rows to read and to check. It is the machine's time, not
 * the product's `Clock`, because that is what a stranger measures.
 */
export async function evenAnswer<T>(work: () => Promise<T>): Promise<T> {
  const even = delay(EVEN_MS);
  try {
    return await work();
  } finally {
    await even;
  }
}
