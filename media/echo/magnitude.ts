/**
 * The magnitude for comparing envelopes: the fourth root of the power. Soft parts weigh nearly as much as loud ones, as
 * they do to the ear, so that a small loudspeaker that clips the loud parts is recognized by the others.
 */
export function magnitudeOf(power: number): number {
  return Math.sqrt(Math.sqrt(power));
}

export function powerOf(magnitude: number): number {
  const root = magnitude * magnitude;
  return root * root;
}
