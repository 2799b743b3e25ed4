/**
 * How loud something is for comparing envelopes: the fourth root of its power. Soft parts weigh nearly what loud ones do,
 * as to the ear, so that a small loudspeaker, which clips the loud ones, is known by the others.
 */
export function magnitudeOf(power: number): number {
  return Math.sqrt(Math.sqrt(power));
}

export function powerOf(magnitude: number): number {
  const root = magnitude * magnitude;
  return root * root;
}
