import type { Unsubscribe } from "@parley/shared/bus/bus.ts";
import { serve } from "@parley/shared/bus/request-reply.ts";
import { newId } from "@parley/shared/ids.ts";
import type { CarrierEvent, ConsultCall, EndStatus } from "../carrier.ts";
import { channelOf } from "./channel.ts";
import type { LoopbackDeps } from "./deps.ts";
import type { PhoneScript } from "./script.ts";

const FRAME_SAMPLES = 320;
const RATE_PER_MS = 16;

/** Phone of a warm transfer's target: rings, hears the whisper, and is joined or hangs up. */
export class TargetPhone {
  readonly sid = `LB${newId("cal").slice(4)}`;
  readonly #to: ConsultCall;
  readonly #deps: LoopbackDeps;
  readonly #onOver: () => void;
  readonly #over = new AbortController();
  #stopListening: Unsubscribe | undefined;

  constructor(to: ConsultCall, deps: LoopbackDeps, onOver: () => void) {
    this.#to = to;
    this.#deps = deps;
    this.#onOver = onOver;
  }

  async listen(): Promise<void> {
    this.#stopListening = await serve(this.#deps.channels, channelOf(this.sid), async () => {
      this.hangUp();
      return "ok";
    });
  }

  /** Rejects when the phone's voice fails. */
  async run({ outcome, ringMs, steps }: PhoneScript): Promise<void> {
    const { ringTimeoutSecs, whisper } = this.#to;
    const { sid: callSid } = this;
    await this.#pause(outcome === "no-answer" ? ringTimeoutSecs * 1_000 : ringMs);
    if (this.#over.signal.aborted) return;
    if (outcome !== "answers") return this.#end(outcome === "refuses" ? "failed" : outcome);
    this.#tell({ type: "answered", callSid });
    await this.#hear(whisper);
    if (this.#over.signal.aborted) return;
    // A target that hangs up before doing anything else rejects the call.
    if (steps.find((step) => step.do !== "wait")?.do === "hangUp") this.#end("completed");
    else this.#tell({ type: "whispered", callSid });
  }

  /** Ends the leg: it was joined, or is no longer wanted. */
  hangUp(): void {
    this.#end("completed");
  }

  async #hear(whisper: string): Promise<void> {
    const { voice, onHeard } = this.#deps;
    const samples = await voice.say(whisper, this.#over.signal);
    const { transferId: sessionId } = this.#to;
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES)
      onHeard?.({ sessionId, samples: samples.subarray(at, at + FRAME_SAMPLES) });
    await this.#pause(samples.length / RATE_PER_MS);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(ms, resolve);
      this.#over.signal.addEventListener("abort", () => {
        cancel();
        resolve();
      });
    });
  }

  #end(status: EndStatus): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    void this.#stopListening?.();
    this.#onOver();
    this.#tell({ type: "ended", callSid: this.sid, status });
  }

  #tell(event: CarrierEvent): void {
    const { sessionId, transferId } = this.#to;
    this.#deps.onEvent(sessionId, event, transferId);
  }
}
