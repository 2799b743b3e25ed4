/** Halves kept for the next call that speaks; 512 of 38 KB are 20 MB. */
const MAX_FREE = 512;
const free: Int16Array[] = [];

/** A silent array of `length` samples: one that was given back, or a new one. */
export function takeSilent(length: number): Int16Array {
  const last = free.pop();
  return last?.length === length ? last : new Int16Array(length);
}

/** Keeps an array for `takeSilent`; it has to be silent, and its owner forgets it. */
export function giveBackSilent(samples: Int16Array): void {
  if (free.length < MAX_FREE) free.push(samples);
}
