import type { Way } from "./unit.ts";

/** The limit for any bytes-to-bytes work: copying as many into existing memory. */
export function copyOf(bytes: number): Way {
  const from = new Uint8Array(bytes).fill(1);
  const to = new Uint8Array(bytes);
  return {
    name: `copy of ${bytes} bytes`,
    run: (i) => {
      from[0] = i;
      to.set(from);
      return to[0] as number;
    },
  };
}

/** The limit for anything that judges a frame: its energy. */
export function energyOf(frames: readonly Int16Array[]): Way {
  return {
    name: "energy of the frame",
    run: (i) => {
      const frame = frames[i % frames.length] as Int16Array;
      let energy = 0;
      for (let at = 0; at < frame.length; at++) energy += (frame[at] as number) * (frame[at] as number);
      return energy;
    },
  };
}
