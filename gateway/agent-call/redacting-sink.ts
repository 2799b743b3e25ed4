import type { Clock } from "@parley/shared/clock.ts";
import { type CallEventBody, maskCallEvent } from "@parley/shared/contracts/call-events.ts";
import type { PiiPolicy } from "@parley/shared/contracts/pii.ts";
import { type FrameData, maskFrameData, type StreamFrame } from "@parley/shared/contracts/stream-frames.ts";
import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import { release, SpeakerScrubber, type Utterance } from "@parley/shared/pii/speaker-scrubber.ts";
import type { SpokenMessage } from "./conversation-ports.ts";

/**
 * How long a message that ends with what may be the beginning of a card number waits for its speaker to go on: a
 * breath, and the agent's "go on".
 */
const HOLD_MS = 8_000;

/** Where the frames of a call go. */
export interface Frames {
  publish<T extends StreamFrame["topic"]>(topic: T, data: FrameData<T>): void;
}

/** Where the events of a call go; `at` is when they happened, by its own stamp. */
export interface Events {
  append(body: CallEventBody, at?: string): void;
  /** Now, as nothing else of the call is told to have happened. */
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
 * The way out of a call for everything that is kept or watched: what the organization's policy names is masked
 * before it leaves. A message that may go on in the next one of its speaker is held, and what follows waits behind
 * it, so that all of it keeps its order and its time.
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

  /** Something was said: a frame for watchers and an event for the record. */
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

  /** An event as it may be kept. */
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

  /** Nobody went on. */
  #release(): void {
    for (const { utterance } of this.#waiting) if (utterance) utterance.isOpen = false;
    this.#sendWhatMay();
  }

  #end(): void {
    this.#isOver = true;
    this.#stopHolding();
    this.#sendWhatMay();
  }

  /** A speaker's unfinished words end before what may become a number; an event has all of them. */
  #maskFrame<T extends StreamFrame["topic"]>(topic: T, data: FrameData<T>): FrameData<T> {
    const speaker = "role" in data ? this.#speakers[data.role] : new SpeakerScrubber(this.#scrubber);
    const text = (words: string): string => speaker.partial(words);
    return maskFrameData(topic, data, { text, json: (value) => this.#scrubber.json(value) });
  }
}
