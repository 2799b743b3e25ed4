import type { Channels, Unsubscribe } from "@parley/shared/bus/bus.ts";
import { request, serve } from "@parley/shared/bus/request-reply.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { z } from "zod";
import type { Carrier, CarrierEvent, Dial } from "../carrier.ts";
import { PhoneCall } from "./phone-call.ts";
import type { PhoneVoice } from "./phone-voice.ts";
import { type PhoneScript, scriptOf } from "./script.ts";

const COMMAND_DEADLINE_MS = 3_000;
const TRANSFER_RING_MS = 15_000;

const commandSchema = z.discriminatedUnion("command", [
  z.object({ command: z.literal("hangUp") }),
  z.object({ command: z.literal("transfer"), to: z.string() }),
]);
type Command = z.infer<typeof commandSchema>;

export interface LoopbackDeps {
  readonly clock: Clock;
  readonly channels: Channels;
  readonly voice: PhoneVoice;
  /** What real carriers post. */
  readonly onEvent: (sessionId: string, event: CarrierEvent) => void;
  /** The phone behind a number; those of docs/phones.md when absent. */
  readonly scripts?: ((number: string) => PhoneScript) | undefined;
  /** What the person on a phone hears, 16 kHz. */
  readonly onHeard?: ((call: { sessionId: string; samples: Int16Array }) => void) | undefined;
}

/** The carrier that needs no account: its phones live in this process, and are reached over the bus from others. */
export function createLoopback(deps: LoopbackDeps): Carrier & { close(): Promise<void> } {
  const calls = new Set<LoopbackCall>();
  const order = async (callSid: string, command: Command): Promise<void> => {
    const payload = JSON.stringify(command);
    const { channels, clock } = deps;
    const answer = await request(channels, channelOf(callSid), {
      payload,
      deadlineMs: COMMAND_DEADLINE_MS,
      clock,
    });
    if (answer === undefined) throw new AppError("not_found", "The phone call is over.");
  };
  return {
    name: "loopback",
    mediaPath: "/v1/calls",
    dial: async (dial) => {
      const script = (deps.scripts ?? scriptOf)(dial.to);
      if (script.outcome === "refuses")
        throw new AppError(
          "bad_request",
          `The carrier refuses to call ${dial.to}: the number is not in service.`,
        );
      const call = new LoopbackCall(dial, { ...deps, onOver: () => calls.delete(call) });
      calls.add(call);
      await call.listen();
      void call.run(script);
      return { callSid: call.sid };
    },
    hangUp: (callSid) => order(callSid, { command: "hangUp" }),
    transfer: (callSid, { to }) => order(callSid, { command: "transfer", to }),
    sendDigits: async () => undefined,
    readCallback: () => {
      throw new AppError("not_found", "The loopback carrier posts nothing.");
    },
    connect: async () => ({ contentType: "text/plain", body: "" }),
    refuse: async () => ({ contentType: "text/plain", body: "" }),
    acknowledge: () => ({ contentType: "text/plain", body: "" }),
    close: async () => {
      for (const call of calls) call.hangUp();
    },
  };
}

const channelOf = (callSid: string): string => `loopback:${callSid}`;

/** One leg: its phone, and what others ask of it. */
class LoopbackCall {
  readonly sid = `LB${newId("cal").slice(4)}`;
  readonly #dial: Dial;
  readonly #deps: LoopbackDeps & { readonly onOver: () => void };
  readonly #phone: PhoneCall;
  #script: PhoneScript | undefined;
  #stopListening: Unsubscribe | undefined;

  constructor(dial: Dial, deps: LoopbackDeps & { readonly onOver: () => void }) {
    this.#dial = dial;
    this.#deps = deps;
    const { sessionId } = dial;
    const { onHeard } = deps;
    this.#phone = new PhoneCall(deps, {
      onRinging: () => this.#tell({ type: "ringing", callSid: this.sid }),
      onAnswered: () => this.#answered(),
      onBeep: () => this.#tellMachine("machine_end_beep"),
      onEnded: (status) => this.#ended(status),
      ...(onHeard ? { onAudio: (samples: Int16Array) => onHeard({ sessionId, samples }) } : {}),
    });
  }

  async listen(): Promise<void> {
    this.#stopListening = await serve(this.#deps.channels, channelOf(this.sid), async (payload) => {
      const command = commandSchema.parse(JSON.parse(payload));
      if (command.command === "hangUp") this.#phone.hangUp();
      else void this.#transfer(command.to);
      return "ok";
    });
  }

  async run(script: PhoneScript): Promise<void> {
    this.#script = script;
    const { mediaUrl, ringTimeoutSecs } = this.#dial;
    await this.#phone.run(script, { mediaUrl, ringTimeoutMs: ringTimeoutSecs * 1_000 });
  }

  hangUp(): void {
    this.#phone.hangUp();
  }

  #answered(): void {
    this.#tell({ type: "answered", callSid: this.sid });
    this.#tellMachine(this.#script?.answeredBy ?? "human");
  }

  /** Only those who asked are told who answered. */
  #tellMachine(answeredBy: Extract<CarrierEvent, { type: "machine" }>["answeredBy"]): void {
    if (this.#dial.machineDetection === undefined) return;
    this.#tell({ type: "machine", callSid: this.sid, answeredBy });
  }

  async #transfer(to: string): Promise<void> {
    const { outcome, ringMs } = (this.#deps.scripts ?? scriptOf)(to);
    const rings = outcome === "no-answer" ? TRANSFER_RING_MS : ringMs;
    await new Promise<void>((resolve) => this.#deps.clock.after(rings, resolve));
    const callSid = this.sid;
    if (outcome === "answers") this.#tell({ type: "transferred", callSid });
    else this.#tell({ type: "transfer_failed", callSid, why: outcome === "refuses" ? "failed" : outcome });
  }

  #ended(status: "completed" | "busy" | "no-answer"): void {
    void this.#stopListening?.();
    this.#deps.onOver();
    this.#tell({ type: "ended", callSid: this.sid, status });
  }

  #tell(event: CarrierEvent): void {
    this.#deps.onEvent(this.#dial.sessionId, event);
  }
}
