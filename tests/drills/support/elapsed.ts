/** Resolves after `ms`: how long a fault lasts is part of the drill, nothing is waited for by it. */
export function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
