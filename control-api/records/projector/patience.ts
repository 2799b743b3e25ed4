import type { Item } from "./items.ts";

/**
 * How often one event is tried that the database refuses while it takes others: a value that does not fit will not fit
 * later either; what is unclear may be a lock, or a migration under way, and gets five minutes.
 */
export const MAX_TRIES = { data: 3, unclear: 60 } as const;
export const TRY_AGAIN_MS = { data: 1_000, unclear: 5_000 } as const;

const FIRST_LOOK_MS = 20;
const LOOK_EVERY_MS = 500;
/**
 * About twenty seconds: twice what it takes until the events of a killed event projector are taken over. Looks are counted and
 * not seconds, so that a database that is away costs no patience.
 */
const MAX_LOOKS = 45;

/** How long an end waits for what is missing before it, having looked so often. */
export function lookAgainInMs(looks: number): number {
  return Math.min(LOOK_EVERY_MS, FIRST_LOOK_MS * 2 ** looks);
}

/** What is missing before this end was lost: it does not come any more. */
export function isPatienceOver({ looks }: Item): boolean {
  return looks >= MAX_LOOKS;
}
