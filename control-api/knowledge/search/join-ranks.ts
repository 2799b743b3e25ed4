/** As in the paper that introduced reciprocal rank fusion (Cormack et al., 2009): dampens the first ranks. */
const DAMPING = 60;

/**
 * Joins ranked lists by reciprocal rank: what stands high in any list stands high, and what stands in several lists
 * higher still. Scores of different lists need not be comparable. Best first; equals in the order of the lists. Where an
 * entry stands counts as much as `weightOf` says, from 0 to 1.
 */
export function joinRanks<T>(
  lists: readonly (readonly T[])[],
  { keyOf, weightOf }: { readonly keyOf: (entry: T) => string; readonly weightOf: (entry: T) => number },
): { readonly entry: T; readonly score: number }[] {
  const joined = new Map<string, { entry: T; score: number }>();
  for (const list of lists) {
    list.forEach((entry, index) => {
      const key = keyOf(entry);
      const before = joined.get(key);
      const score = (before?.score ?? 0) + weightOf(entry) / (DAMPING + index + 1);
      joined.set(key, { entry: before?.entry ?? entry, score });
    });
  }
  return [...joined.values()].toSorted((a, b) => b.score - a.score);
}
