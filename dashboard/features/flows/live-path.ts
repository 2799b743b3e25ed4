/**
 * The nodes a call reached: those in its record, then those seen on its stream that the record does not have yet. The stream may
 * begin late and lose some, and the record is a moment behind: once it is read again, it has them all.
 */
export function livePath(kept: readonly string[], seen: readonly string[]): readonly string[] {
  let known = 0;
  for (const node of kept) if (node === seen[known]) known += 1;
  return [...kept, ...seen.slice(known)];
}
