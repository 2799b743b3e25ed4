import type { Unsubscribe } from "@parley/shared/bus/bus.ts";
import { request, serve } from "@parley/shared/bus/request-reply.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { z } from "zod";
import type { Carrier, CarrierEvent, Dial } from "../carrier.ts";
import { channelOf } from "./channel.ts";
import type { LoopbackDeps } from "./deps.ts";
import { PhoneCall } from "./phone-call.ts";
import { type PhoneScript, type PhoneStep, scriptOf } from "./script.ts";
import type { SpokenTrack } from "./spoken-tracks.ts";
import { TargetPhone } from "./target-phone.ts";

const COMMAND_DEADLINE_MS = 3_000;

const commandSchema = z.discriminatedUnion("command", [
  z.object({ command: z.literal("hangUp") }),
  z.object({ command: z.literal("transfer"), to: z.string(), ringMs: z.number() }),
]);
type Command = z.infer<typeof commandSchema>;

/** A simulated phone that calls one of our numbers. */
export interface IncomingPhone {
  readonly callSid: string;
  /** Starts the phone once connected (`Carrier.connect`) to this session. Returns false if it was refused. */
  begin(sessionId: string): boolean;
  hangUp(): void;
}

export interface Loopback extends Carrier {
  /** Places a call from this number. Once answered, the phone runs these steps, or does what its owner does. */
  pickUp(from: string, steps?: readonly PhoneStep[]): Promise<IncomingPhone>;
  close(): Promise<void>;
}

/** A carrier that needs no account: its phones live in this process; other processes reach them over the bus. */
export function createLoopback(deps: LoopbackDeps): Loopback {
  const calls = new Map<string, LoopbackCall>();
  const targets = new Set<TargetPhone>();
  const scripts = deps.scripts ?? scriptOf;
  const newCall = async (script: PhoneScript): Promise<LoopbackCall> => {
    const call: LoopbackCall = new LoopbackCall(script, { ...deps, onOver: () => calls.delete(call.sid) });
    calls.set(call.sid, call);
    await call.listen();
    return call;
  };
  const order = async (callSid: string, command: Command): Promise<void> => {
    const payload = JSON.stringify(command);
    const { channels, clock } = deps;
    const answer = await request(channels, channelOf(callSid), {
      payload,
      deadlineMs: COMMAND_DEADLINE_MS,
      clock,
    });
    if (answer === undefined) throw new AppError("not_found", "The phone call has ended.");
  };
  return {
    name: "loopback",
    mediaPath: "/v1/calls",
    dial: async (dial) => {
      const script = scripts(dial.to);
      if (script.outcome === "refuses") throw notInService(dial.to);
      const call = await newCall(script);
      goThrough(call, call.run(dial), deps);
      return { callSid: call.sid };
    },
    pickUp: async (from, steps) => {
      const call = await newCall({ ringMs: 0, outcome: "answers", steps: steps ?? scripts(from).steps });
      return {
        callSid: call.sid,
        begin: (sessionId) => call.begin(sessionId),
        hangUp: () => call.hangUp(),
      };
    },
    hangUp: (callSid) => order(callSid, { command: "hangUp" }),
    transferring: { mediaStops: false, rings: true },
    transfer: (callSid, { to, ringTimeoutSecs }) =>
      order(callSid, { command: "transfer", to, ringMs: ringTimeoutSecs * 1_000 }),
    consult: async (consultCall) => {
      const script = scripts(consultCall.to);
      if (script.outcome === "refuses") throw notInService(consultCall.to);
      const target = new TargetPhone(consultCall, deps, () => targets.delete(target));
      targets.add(target);
      await target.listen();
      goThrough(target, target.run(script), deps);
      return { callSid: target.sid };
    },
    // The called phone hears the whisper as soon as it answers.
    whisper: async () => NOTHING,
    join: (_, { targetSid }) => order(targetSid, { command: "hangUp" }),
    joinAnswer: () => NOTHING,
    readCallback: () => {
      throw new AppError("not_found", "The loopback carrier posts nothing.");
    },
    connect: async ({ callSid, mediaUrl }) => {
      calls.get(callSid)?.connectTo(mediaUrl);
      return NOTHING;
    },
    refuse: async () => NOTHING,
    acknowledge: () => NOTHING,
    close: async () => {
      for (const call of [...calls.values(), ...targets]) call.hangUp();
    },
  };
}

/** A phone whose voice fails hangs up, as one with a dead battery does. */
function goThrough(
  phone: { readonly sid: string; hangUp(): void },
  script: Promise<void>,
  { log }: LoopbackDeps,
): void {
  script.catch((error: unknown) => {
    log.warn(
      { event: "simulated_phone_failed", callSid: phone.sid, err: messageOf(error) },
      "a simulated phone failed and hangs up",
    );
    phone.hangUp();
  });
}

const NOTHING = { contentType: "text/plain", body: "" };

function notInService(number: string): AppError {
  const message = `The carrier refuses to call ${number}: the number is not in service.`;
  return new AppError("bad_request", message);
}

type Leg = Pick<Dial, "sessionId" | "mediaUrl" | "ringTimeoutSecs" | "machineDetection">;

/** One leg: its phone, and the commands it receives. */
class LoopbackCall {
  readonly sid = `LB${newId("cal").slice(4)}`;
  readonly #script: PhoneScript;
  readonly #deps: LoopbackDeps & { readonly onOver: () => void };
  readonly #phone: PhoneCall;
  #leg: Leg | undefined;
  /** For an inbound call, until it begins. */
  #mediaUrl: string | undefined;
  #stopListening: Unsubscribe | undefined;

  constructor(script: PhoneScript, deps: LoopbackDeps & { readonly onOver: () => void }) {
    this.#script = script;
    this.#deps = deps;
    const { onHeard } = deps;
    const onAudio = (samples: Int16Array): void => {
      if (this.#leg) onHeard?.({ sessionId: this.#leg.sessionId, samples });
    };
    const openTrack = (trackId: string | undefined) => this.#openTrack(trackId);
    this.#phone = new PhoneCall(
      { ...deps, openTrack },
      {
        onRinging: () => this.#tell({ type: "ringing", callSid: this.sid }),
        onAnswered: () => this.#answered(),
        onBeep: () => this.#tellMachine("machine_end_beep"),
        onEnded: (status) => this.#ended(status),
        ...(onHeard ? { onAudio } : {}),
      },
    );
  }

  async listen(): Promise<void> {
    this.#stopListening = await serve(this.#deps.channels, channelOf(this.sid), async (payload) => {
      const command = commandSchema.parse(JSON.parse(payload));
      if (command.command === "hangUp") this.#phone.hangUp();
      else void this.#transfer(command.to, command.ringMs);
      return "ok";
    });
  }

  /** Rejects when the phone's voice fails. */
  async run(leg: Leg): Promise<void> {
    this.#leg = leg;
    const { mediaUrl, ringTimeoutSecs } = leg;
    await this.#phone.run(this.#script, { mediaUrl, ringTimeoutMs: ringTimeoutSecs * 1_000 });
  }

  connectTo(mediaUrl: string): void {
    this.#mediaUrl = mediaUrl;
  }

  begin(sessionId: string): boolean {
    if (this.#mediaUrl === undefined) return false;
    goThrough(this, this.run({ sessionId, mediaUrl: this.#mediaUrl, ringTimeoutSecs: 0 }), this.#deps);
    return true;
  }

  hangUp(): void {
    this.#phone.hangUp();
  }

  #answered(): void {
    this.#tell({ type: "answered", callSid: this.sid });
    this.#tellMachine(this.#script.answeredBy ?? "human");
  }

  /** Reports the verdict only if detection was requested. */
  #tellMachine(answeredBy: Extract<CarrierEvent, { type: "machine" }>["answeredBy"]): void {
    if (this.#leg?.machineDetection === undefined) return;
    this.#tell({ type: "machine", callSid: this.sid, answeredBy });
  }

  /** A missing or non-WAV file does not end the call. */
  async #openTrack(trackId: string | undefined): Promise<SpokenTrack | undefined> {
    const { openTrack, log } = this.#deps;
    const sessionId = this.#leg?.sessionId ?? "";
    return openTrack({ sessionId, trackId }).catch((error: unknown) => {
      const about = { callSid: this.sid, sessionId, trackId, err: messageOf(error) };
      log.warn({ event: "simulated_phone_no_track", ...about }, "a simulated phone has no track to play");
      return undefined;
    });
  }

  async #transfer(to: string, ringMs: number): Promise<void> {
    const { outcome, ...script } = (this.#deps.scripts ?? scriptOf)(to);
    const rings = outcome === "no-answer" ? ringMs : script.ringMs;
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

  /** A refused call has no session. */
  #tell(event: CarrierEvent): void {
    if (this.#leg) this.#deps.onEvent(this.#leg.sessionId, event);
  }
}
