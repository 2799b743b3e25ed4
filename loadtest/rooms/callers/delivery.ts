import { FRAME_MS } from "@parley/media/pcm.ts";

/** How the network carries a caller's frames to the gateway. */
export type Delivery =
  | { readonly kind: "even" }
  /** Frames are held back and arrive together every `everyMs`. */
  | { readonly kind: "bursts"; readonly everyMs: number }
  /** Each frame is up to `mostMs` late, in order. */
  | { readonly kind: "jitter"; readonly mostMs: number }
  /** Once every `everyMs`, nothing arrives for `ms`; then everything does. */
  | { readonly kind: "stalls"; readonly ms: number; readonly everyMs: number }
  /** This share of the frames never arrives. */
  | { readonly kind: "loss"; readonly share: number };

/** Decides frame by frame which ones arrive now. Time is counted in frames of 20 ms. */
export class Carrier {
  readonly #delivery: Delivery;
  readonly #random: () => number;
  #held: Buffer[] = [];
  #frames = 0;
  #dueAtFrame = 0;

  constructor(delivery: Delivery, random: () => number) {
    this.#delivery = delivery;
    this.#random = random;
  }

  /** Takes the frame just spoken; returns the frames arriving now, in order. */
  carry(frame: Buffer): Buffer[] {
    const at = this.#frames++;
    const delivery = this.#delivery;
    if (delivery.kind === "loss") return this.#random() < delivery.share ? [] : [frame];
    this.#held.push(frame);
    if (!this.#arrives(at)) return [];
    const arriving = this.#held;
    this.#held = [];
    return arriving;
  }

  #arrives(at: number): boolean {
    const delivery = this.#delivery;
    switch (delivery.kind) {
      case "bursts":
        return (at + 1) % (delivery.everyMs / FRAME_MS) === 0;
      case "stalls":
        return (at * FRAME_MS) % delivery.everyMs >= delivery.ms;
      case "jitter": {
        if (at < this.#dueAtFrame) return false;
        this.#dueAtFrame = at + Math.floor((this.#random() * delivery.mostMs) / FRAME_MS);
        return true;
      }
      default:
        return true;
    }
  }
}
