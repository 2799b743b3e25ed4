import type { Clock } from "@parley/shared/clock.ts";
import { toTimestamp } from "@parley/shared/clock.ts";
import type { Carrier, Message } from "./message.ts";

const MAX_MESSAGES = 200;

export type KeptMessage = Message & { readonly at: string };

/** The embedded default's carrier: keeps messages for people to read at `/dev/outbox` instead of sending them. */
export class Outbox implements Carrier {
  readonly #clock: Clock;
  readonly #messages: KeptMessage[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async send(message: Message): Promise<void> {
    this.#messages.push({ ...message, at: toTimestamp(this.#clock.wallMs()) });
    if (this.#messages.length > MAX_MESSAGES) this.#messages.shift();
  }

  /** Newest first. */
  list(): readonly KeptMessage[] {
    return this.#messages.toReversed();
  }
}
