import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import { reasonOf } from "../../api/api-error.ts";
import { CALL_RATE_HZ } from "../talk/call-format.ts";
import type { CallSocket, CallSocketEvent } from "../talk/call-socket.ts";
import { MicrophoneError } from "../talk/microphone-fault.ts";
import type { MicrophoneFrame } from "../talk/microphone-framer.ts";
import { SpeechGate } from "../talk/speech-gate.ts";
import type { OpenedMicrophone, SoftphoneDevices, Speaker } from "./devices.ts";
import { RoundTrip } from "./round-trip.ts";
import type { Line, SoftphoneEvent } from "./softphone-view.ts";

/** The gateway sends ahead of real time; the last words may still be in the buffer when the call ends. */
const LAST_WORDS_MS = 600;

/** A call that the API has placed, answered or transferred. */
export interface ConnectedLine {
  readonly line: Line;
  readonly websocketUrl: string;
}

export interface SoftphoneCallOptions {
  readonly devices: SoftphoneDevices;
  /** As known before the API responds. */
  readonly line: Line;
  /** For a call taken over: when it was answered, in ms since the epoch. */
  readonly answeredAtMs?: number | undefined;
  readonly microphoneId: string | undefined;
  readonly speakerId: string | undefined;
  /** `listen` allows the call without a microphone. */
  readonly without?: "listen" | undefined;
  /** Places, answers or takes the call over. Throws `ApiError`. */
  readonly connect: () => Promise<ConnectedLine>;
  /** For a refused socket: why the call ended before it connected; undefined when it has not ended. */
  readonly whyEnded: (sessionId: string) => Promise<string | undefined>;
  readonly onEvent: (event: SoftphoneEvent) => void;
  /** Loudness of both sides (0 to 1), fifty times a second. */
  readonly onLevel: (side: "own" | "far", level: number) => void;
}

/** A person's call: joins the socket with microphone and loudspeaker. Single-use. */
export class SoftphoneCall {
  readonly #options: SoftphoneCallOptions;
  readonly #over = new AbortController();
  readonly #gate = new SpeechGate();
  readonly #roundTrip: RoundTrip;
  #socket: CallSocket | undefined;
  #speaker: Speaker | undefined;
  #speakerId: string | undefined;
  #microphone: OpenedMicrophone | undefined;
  #sessionId = "";
  #microphoneTurn = 0;
  #askedMicrophones = 0;
  #isMuted = false;
  #isTalkingMuted = false;

  constructor(options: SoftphoneCallOptions) {
    this.#options = options;
    this.#speakerId = options.speakerId;
    this.#roundTrip = new RoundTrip({
      ping: (id) => this.#socket?.send({ type: "ping", id }),
      onMs: (ms) => options.onEvent({ type: "round-trip", ms }),
    });
  }

  /**
   * Opens the devices before dialing: no phone rings while the browser still asks for the microphone. Call it
   * inside a user gesture, or the browser blocks sound.
   */
  async start(): Promise<void> {
    const { onEvent, line, answeredAtMs, connect, without, microphoneId } = this.#options;
    onEvent({ type: "started", line, answeredAtMs });
    // Loaded with its message schemas, which no page needs before a call.
    const socket = import("../talk/call-socket.ts");
    socket.catch(() => undefined);
    const opened = this.#openSpeaker();
    const fault = await this.#openMicrophone(microphoneId);
    await opened;
    if (this.#isOver) return;
    if (fault !== undefined && without !== "listen") {
      this.#release();
      onEvent({ type: "no-microphone", fault });
      return;
    }
    try {
      const { CallSocket } = await socket;
      const connected = await connect();
      // Even when canceled meanwhile, the call exists, and its socket hangs it up.
      this.#socket = new CallSocket(connected.websocketUrl, {
        onEvent: (event) => this.#onSocketEvent(event),
      });
      this.#sessionId = connected.line.sessionId ?? "";
      this.#options.onEvent({ type: "line", line: connected.line });
      this.#socket.connect();
      if (this.#isOver) this.#socket.send({ type: "hangup" });
    } catch (error) {
      if (this.#isOver) return;
      this.#release();
      onEvent({ type: "refused", message: reasonOf(error) });
    }
  }

  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    this.#isTalkingMuted = false;
    this.#options.onEvent({ type: "muted", isMuted });
  }

  hold(isHeld: boolean): void {
    this.#socket?.send({ type: "hold", on: isHeld });
    this.#options.onEvent({ type: "held", isHeld });
  }

  press(digit: DtmfDigit): void {
    this.#socket?.send({ type: "dtmf", digit });
    this.#options.onEvent({ type: "pressed", digit });
  }

  /** Switches the microphone, also in mid-call; the old one stays live until the new one is ready. */
  async switchMicrophone(deviceId: string | undefined): Promise<void> {
    await this.#openMicrophone(deviceId);
  }

  async switchSpeaker(deviceId: string | undefined): Promise<void> {
    this.#speakerId = deviceId;
    await this.#speaker?.switchSpeaker(deviceId ?? "");
  }

  /** The network is back: retries at once. */
  retryNow(): void {
    this.#socket?.retryNow();
  }

  hangUp(): void {
    if (this.#isOver) return;
    this.#options.onEvent({ type: "hung-up" });
    void this.#speaker?.close();
    this.#speaker = undefined;
    if (this.#socket !== undefined) {
      this.#socket.hangUp();
      return;
    }
    this.#release();
    this.#options.onEvent({ type: "canceled" });
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  async #openSpeaker(): Promise<void> {
    const { devices, onEvent, onLevel } = this.#options;
    try {
      const speaker = await devices.openSpeaker({
        sampleRateHz: CALL_RATE_HZ,
        onMark: (name) => this.#socket?.send({ type: "mark", name }),
        onLevel: (level) => onLevel("far", level),
        sinkId: this.#speakerId,
      });
      if (this.#isOver) return void speaker.close();
      this.#speaker = speaker;
    } catch {
      if (!this.#isOver) onEvent({ type: "no-sound" });
    }
  }

  async #openMicrophone(deviceId: string | undefined): Promise<MicrophoneError["fault"] | undefined> {
    const { devices, onEvent } = this.#options;
    this.#askedMicrophones += 1;
    const turn = this.#askedMicrophones;
    try {
      const microphone = await devices.openMicrophone(
        {
          onFrame: (frame) => {
            if (turn === this.#microphoneTurn) this.#onFrame(frame);
          },
          onLost: () => void this.#loseMicrophone(turn),
          deviceId,
        },
        this.#over.signal,
      );
      // Of two requests, the later one counts, whichever opened first.
      if (this.#isOver || turn < this.#microphoneTurn) {
        void microphone.close();
        return undefined;
      }
      void this.#microphone?.close();
      this.#microphone = microphone;
      this.#microphoneTurn = turn;
      onEvent({ type: "microphone", microphone: { is: "on" } });
      return undefined;
    } catch (error) {
      if (this.#isOver) return undefined;
      const fault = error instanceof MicrophoneError ? error.fault : "broken";
      // A chosen headset is unplugged: the browser's own choice beats silence.
      if (fault === "missing" && deviceId !== undefined) return this.#openMicrophone(undefined);
      onEvent({ type: "microphone", microphone: { is: "failed", fault } });
      return fault;
    }
  }

  /** Handles unplugging in mid-call: a remaining microphone takes over. */
  async #loseMicrophone(turn: number): Promise<void> {
    if (turn !== this.#microphoneTurn || this.#isOver) return;
    void this.#microphone?.close();
    this.#microphone = undefined;
    this.#options.onEvent({ type: "microphone", microphone: { is: "failed", fault: "lost" } });
    await this.#openMicrophone(undefined);
  }

  /** Muted frames go out as silence: the far end's clocks keep running, and the meter still shows speech. */
  #onFrame({ samples, level }: MicrophoneFrame): void {
    const { onLevel, onEvent } = this.#options;
    onLevel("own", level);
    const isTalkingMuted = this.#gate.push(level) && this.#isMuted;
    if (isTalkingMuted !== this.#isTalkingMuted)
      onEvent({ type: "talking-muted", isTalking: isTalkingMuted });
    this.#isTalkingMuted = isTalkingMuted;
    this.#socket?.sendAudio(this.#isMuted ? samples.fill(0) : samples);
  }

  #onSocketEvent(event: CallSocketEvent): void {
    if (this.#isOver) return;
    if (event.type === "audio") {
      this.#speaker?.play(event.samples);
      return;
    }
    if (event.type === "message") this.#onMessage(event.message);
    if (event.type === "ready") this.#roundTrip.start();
    // The gateway stopped its clock when the socket dropped.
    if (event.type === "resuming") {
      this.#roundTrip.stop();
      void this.#speaker?.clear();
    }
    if (event.type === "ended" || event.type === "failed") this.#release();
    const mayBeOver =
      event.type === "failed" && (event.failure === "unreachable" || event.failure === "fatal");
    if (mayBeOver) void this.#explain(event);
    else this.#options.onEvent(event);
  }

  /**
   * A busy line ends the call before the socket connects; the socket is then refused, or told there is no
   * such session. Browsers do not distinguish that from a broken network.
   */
  async #explain(failed: CallSocketEvent & { type: "failed" }): Promise<void> {
    const { whyEnded, onEvent } = this.#options;
    const reason = await whyEnded(this.#sessionId).catch(() => undefined);
    onEvent(reason === undefined ? failed : { type: "ended", reason });
  }

  #onMessage(message: Extract<CallSocketEvent, { type: "message" }>["message"]): void {
    if (message.type === "pong") this.#roundTrip.onPong(message.id);
    else if (message.type === "mark") this.#speaker?.mark(message.name);
    else if (message.type === "clear") void this.#speaker?.clear();
  }

  #release(): void {
    this.#over.abort();
    this.#roundTrip.stop();
    void this.#microphone?.close();
    const speaker = this.#speaker;
    setTimeout(() => void speaker?.close(), LAST_WORDS_MS);
  }
}
