import type { Item } from "./items.ts";

/**
 * How often to retry an event that the database refuses while it accepts others. A value that does not fit now will not
 * fit later; an unclear failure may be a lock or a running migration, and gets five minutes.
 */
export const MAX_TRIES = { data: 3, unclear: 60 } as const;
export const TRY_AGAIN_MS = { data: 1_000, unclear: 5_000 } as const;

const FIRST_LOOK_MS = 20;
const LOOK_EVERY_MS = 500;
/**
 * About twenty seconds: twice the time until a killed event projector's events are taken over. Counts looks rather than
 * seconds, so that a database outage costs no patience.
 */
const MAX_LOOKS = 45;

/** Delay before the next look for events missing before an end, after that many looks. */
export function lookAgainInMs(looks: number): number {
  return Math.min(LOOK_EVERY_MS, FIRST_LOOK_MS * 2 ** looks);
}

/** The events missing before this end are lost and will not come. */
export function isPatienceOver({ looks }: Item): boolean {
  return looks >= MAX_LOOKS;
}
