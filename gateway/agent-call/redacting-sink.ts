import type { Clock } from "@parley/shared/clock.ts";
import { type CallEventBody, maskCallEvent } from "@parley/shared/contracts/call-events.ts";
import type { PiiPolicy } from "@parley/shared/contracts/pii.ts";
import { type FrameData, maskFrameData, type StreamFrame } from "@parley/shared/contracts/stream-frames.ts";
import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import { release, SpeakerScrubber, type Utterance } from "@parley/shared/pii/speaker-scrubber.ts";
import type { SpokenMessage } from "./conversation-ports.ts";

/**
 * How long a message that may end in the beginning of a card number waits for its speaker to continue: long enough for
 * a breath and the agent's "go on".
 */
const HOLD_MS = 8_000;

/** Destination of a call's frames. */
export interface Frames {
  publish<T extends StreamFrame["topic"]>(topic: T, data: FrameData<T>): void;
}

/** Destination of a call's events; `at` is when the event happened, as given by `stamp`. */
export interface Events {
  append(body: CallEventBody, at?: string): void;
  /** The current time as a stamp that no other event of the call shares. */
  stamp(): string;
}

export interface RedactingSinkDeps {
  readonly policy: PiiPolicy;
  readonly frames: Frames;
  readonly events: Events;
  readonly after: Clock["after"];
}

interface Waiting {
  readonly utterance?: Utterance;
  readonly send: () => void;
}

/**
 * The exit of a call for everything that is kept or watched: masks what the organization's policy names before it
 * leaves. A message that its speaker's next one may continue is held, and everything after it waits behind it, so order
 * and times are preserved.
 */
export class RedactingSink implements Frames, Events {
  readonly #deps: RedactingSinkDeps;
  readonly #scrubber: Scrubber;
  readonly #speakers: Readonly<Record<"user" | "assistant", SpeakerScrubber>>;
  readonly #waiting: Waiting[] = [];
  #stopHolding: () => void = () => undefined;
  #isOver = false;

  constructor(deps: RedactingSinkDeps) {
    this.#deps = deps;
    this.#scrubber = new Scrubber(deps.policy);
    this.#speakers = {
      user: new SpeakerScrubber(this.#scrubber),
      assistant: new SpeakerScrubber(this.#scrubber),
    };
  }

  /** Sends what was said as a frame for watchers and an event for the record. */
  message({ turn, role, text, interrupted, source }: Omit<SpokenMessage, "wholeText">): void {
    const { frames, events } = this.#deps;
    const utterance = this.#speakers[role].add(text);
    const at = this.stamp();
    this.#pass({
      utterance,
      send: () => {
        const masked = release(utterance);
        frames.publish("call.turn", { turn, role, text: masked, interrupted });
        events.append({ type: "call.message", turn, role, text: masked, interrupted, source }, at);
      },
    });
  }

  publish<T extends StreamFrame["topic"]>(topic: T, data: FrameData<T>): void {
    const masked = this.#maskFrame(topic, data);
    this.#pass({ send: () => this.#deps.frames.publish(topic, masked) });
    if (topic === "call.ended") this.#end();
  }

  append(body: CallEventBody): void {
    const masked = this.mask(body);
    const at = this.stamp();
    this.#pass({ send: () => this.#deps.events.append(masked, at) });
  }

  /** Returns the event masked as the policy requires. */
  mask(body: CallEventBody): CallEventBody {
    return maskCallEvent(body, this.#scrubber);
  }

  stamp(): string {
    return this.#deps.events.stamp();
  }

  #pass(waiting: Waiting): void {
    this.#waiting.push(waiting);
    this.#sendWhatMay();
    this.#stopHolding();
    if (this.#waiting.length > 0) this.#stopHolding = this.#deps.after(HOLD_MS, () => this.#release());
  }

  #sendWhatMay(): void {
    for (;;) {
      const first = this.#waiting[0];
      if (!first || (first.utterance?.isOpen && !this.#isOver)) return;
      this.#waiting.shift();
      first.send();
    }
  }

  /** Releases the held message because its speaker did not continue. */
  #release(): void {
    for (const { utterance } of this.#waiting) if (utterance) utterance.isOpen = false;
    this.#sendWhatMay();
  }

  #end(): void {
    this.#isOver = true;
    this.#stopHolding();
    this.#sendWhatMay();
  }

  /** Ends unfinished text in a frame before anything that may become a number; the event has the whole text. */
  #maskFrame<T extends StreamFrame["topic"]>(topic: T, data: FrameData<T>): FrameData<T> {
    const speaker = "role" in data ? this.#speakers[data.role] : new SpeakerScrubber(this.#scrubber);
    const text = (words: string): string => speaker.partial(words);
    return maskFrameData(topic, data, { text, json: (value) => this.#scrubber.json(value) });
  }
}
