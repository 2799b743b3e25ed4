/** The parts of the page whose code did not come, each by what tries again. */
let missing: readonly (() => void)[] = [];
const watchers = new Set<() => void>();

/** Tells the page that a part of it is missing; returns what takes that back. */
export function addMissing(again: () => void): () => void {
  change([...missing, again]);
  return () => change(missing.filter((each) => each !== again));
}

export function missingParts(): readonly (() => void)[] {
  return missing;
}

export function watchMissing(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

function change(next: readonly (() => void)[]): void {
  missing = next;
  for (const changed of watchers) changed();
}
