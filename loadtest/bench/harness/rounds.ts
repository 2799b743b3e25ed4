import { type Spread, spreadOf } from "./figure.ts";

/**
 * Measures several contestants in turn, again and again, so that whatever the machine does besides
 * falls on all of them alike. Each measure gives one value a round.
 */
export async function interleaved<K extends string>(
  rounds: number,
  contestants: Readonly<Record<K, (round: number) => Promise<number> | number>>,
): Promise<Record<K, Spread>> {
  const names = Object.keys(contestants) as K[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = 0; round < rounds; round++) {
    // Nobody is always first: who follows whom changes from round to round.
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length] as K;
      values[name].push(await contestants[name](round));
    }
  }
  return Object.fromEntries(names.map((name) => [name, spreadOf(values[name])])) as Record<K, Spread>;
}
