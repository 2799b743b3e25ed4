import { DtmfDetector } from "@parley/media/dtmf/detector.ts";
import { Framer } from "@parley/media/framing/framer.ts";
import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import { Keypad } from "../call/keypad.ts";

/** Reports each key pressed on the phone once, whether the carrier signals it or the audio reveals it. */
export class PhoneKeys {
  readonly #keypad: Keypad;
  readonly #detector = new DtmfDetector();
  readonly #framer = new Framer(FRAME_SAMPLES);

  constructor({ now, onDigit }: { now: () => number; onDigit: (digit: DtmfDigit) => void }) {
    this.#keypad = new Keypad({ now, onDigit, onEntry: () => undefined });
  }

  press(digit: DtmfDigit): void {
    this.#keypad.press(digit, "message");
  }

  hear(samples: Int16Array): void {
    this.#framer.push(samples, (frame) => {
      const digit = this.#detector.push(frame);
      if (digit !== undefined) this.#keypad.press(digit, "tone");
    });
  }

  /** Called every 20 ms. */
  tick(): void {
    this.#keypad.tick();
  }
}
