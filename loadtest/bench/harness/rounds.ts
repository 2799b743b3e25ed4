import { type Spread, spreadOf } from "./figure.ts";

/**
 * Measures contestants in turn, round after round, so that other load on the machine affects all alike. Each
 * measurement yields one value per round.
 */
export async function interleaved<K extends string>(
  rounds: number,
  contestants: Readonly<Record<K, (round: number) => Promise<number> | number>>,
): Promise<Record<K, Spread>> {
  const names = Object.keys(contestants) as K[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = 0; round < rounds; round++) {
    // The order rotates from round to round, so no contestant is always first.
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length] as K;
      values[name].push(await contestants[name](round));
    }
  }
  return Object.fromEntries(names.map((name) => [name, spreadOf(values[name])])) as Record<K, Spread>;
}
