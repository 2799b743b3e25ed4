/** Maximum number of halves kept for the next call that speaks; 512 of 38 KB are 20 MB. */
const MAX_FREE = 512;
const free: Int16Array[] = [];

/** Returns a silent array of `length` samples, reused if possible. */
export function takeSilent(length: number): Int16Array {
  const last = free.pop();
  return last?.length === length ? last : new Int16Array(length);
}

/** Keeps an array for `takeSilent`; the array must be silent, and its owner must forget it. */
export function giveBackSilent(samples: Int16Array): void {
  if (free.length < MAX_FREE) free.push(samples);
}
