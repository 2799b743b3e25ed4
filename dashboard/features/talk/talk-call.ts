import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import { CALL_RATE_HZ } from "./call-format.ts";
import { CallSocket, type CallSocketEvent } from "./call-socket.ts";
import type { CallViewEvent } from "./call-view.ts";
import type { CallDevices, CallerMicrophone, Loudspeaker, Recognizer } from "./devices.ts";
import { MicrophoneError } from "./microphone-fault.ts";
import type { MicrophoneFrame } from "./microphone-framer.ts";
import { SessionError, type TalkSession } from "./session.ts";
import { SpeechGate } from "./speech-gate.ts";
import { TurnBoundary } from "./turn-boundary.ts";

/** The gateway sends ahead of real time; the last words may still be buffered when the call ends. */
const LAST_WORDS_MS = 600;

export interface TalkCallOptions {
  readonly devices: CallDevices;
  /** @throws SessionError */
  readonly openSession: (signal: AbortSignal) => Promise<TalkSession>;
  readonly onEvent: (event: CallViewEvent) => void;
  /** Loudness of both sides (0 to 1), too frequent for the view. */
  readonly onLevel: (side: "caller" | "agent", level: number) => void;
}

/** One call: joins the socket with microphone, loudspeaker and recognizer. Single-use. */
export class TalkCall {
  readonly #options: TalkCallOptions;
  readonly #over = new AbortController();
  readonly #gate = new SpeechGate();
  readonly #boundary = new TurnBoundary();
  #socket: CallSocket | undefined;
  #loudspeaker: Loudspeaker | undefined;
  #microphone: CallerMicrophone | undefined;
  #recognizer: Recognizer | undefined;
  #recognition: "server" | "client" = "server";
  #callerSpeaking = false;

  constructor(options: TalkCallOptions) {
    this.#options = options;
  }

  /** Starts the call. Call it inside a user gesture, or the browser blocks sound. */
  async start(input: "voice" | "text"): Promise<void> {
    const { signal } = this.#over;
    this.#options.onEvent({ type: "started" });
    const opened = this.#openLoudspeaker();
    if (input === "voice") await this.openMicrophone();
    await opened;
    if (signal.aborted) return;
    const session = await this.#openSession();
    if (signal.aborted || session === undefined) return;
    this.#options.onEvent({ type: "session", agentName: session.agentName });
    this.#socket = new CallSocket(session.websocketUrl, { onEvent: (event) => this.#onSocketEvent(event) });
    this.#socket.connect();
  }

  /** Opens the microphone, also in mid-call; without one, the call continues by typing. */
  async openMicrophone(): Promise<void> {
    const { signal } = this.#over;
    try {
      const microphone = await this.#options.devices.openMicrophone(
        { onFrame: (frame) => this.#onFrame(frame), onLost: () => this.#loseMicrophone() },
        signal,
      );
      if (signal.aborted) return void microphone.close();
      this.#microphone = microphone;
      this.#options.onEvent({ type: "microphone", microphone: { is: "on" } });
      this.#startRecognizer();
    } catch (error) {
      if (signal.aborted) return;
      const fault = error instanceof MicrophoneError ? error.fault : "broken";
      this.#options.onEvent({ type: "microphone", microphone: { is: "failed", fault } });
    }
  }

  mute(): void {
    this.#microphone?.mute();
    this.#recognizer?.stop();
    this.#options.onEvent({ type: "microphone", microphone: { is: "muted" } });
  }

  unmute(): void {
    this.#microphone?.unmute();
    this.#recognizer?.start();
    this.#options.onEvent({ type: "microphone", microphone: { is: "on" } });
  }

  /** Sends a typed turn. */
  say(text: string): void {
    this.#socket?.send({ type: "text", text });
  }

  press(digit: DtmfDigit): void {
    this.#socket?.send({ type: "dtmf", digit });
    this.#options.onEvent({ type: "pressed", digit });
  }

  /** The network is back: retries at once. */
  retryNow(): void {
    this.#socket?.retryNow();
  }

  hangUp(): void {
    void this.#loudspeaker?.close();
    this.#loudspeaker = undefined;
    if (this.#socket !== undefined) {
      this.#socket.hangUp();
      return;
    }
    this.#release();
    this.#options.onEvent({ type: "canceled" });
  }

  async #openLoudspeaker(): Promise<void> {
    try {
      const loudspeaker = await this.#options.devices.openLoudspeaker({
        sampleRateHz: CALL_RATE_HZ,
        onMark: (name) => this.#socket?.send({ type: "mark", name }),
        onLevel: (level) => this.#options.onLevel("agent", level),
      });
      if (this.#over.signal.aborted) return void loudspeaker.close();
      this.#loudspeaker = loudspeaker;
    } catch {
      if (!this.#over.signal.aborted) this.#options.onEvent({ type: "no-sound" });
    }
  }

  async #openSession(): Promise<TalkSession | undefined> {
    try {
      return await this.#options.openSession(this.#over.signal);
    } catch (error) {
      if (this.#over.signal.aborted) return undefined;
      const { fault, message } =
        error instanceof SessionError ? error : { fault: "refused" as const, message: String(error) };
      this.#release();
      this.#options.onEvent({ type: "no-session", fault, message });
      return undefined;
    }
  }

  #onSocketEvent(event: CallSocketEvent): void {
    if (event.type === "audio") {
      this.#onAudio(event.samples);
      return;
    }
    if (event.type === "message") this.#onMessage(event.message);
    // The gateway stopped its clock when the socket dropped, and resends from there.
    if (event.type === "resuming") void this.#loudspeaker?.clear();
    if (event.type === "ended" || event.type === "failed") this.#release();
    this.#options.onEvent(event);
    if (event.type === "ready") {
      this.#recognition = event.ready.recognition;
      this.#startRecognizer();
    }
  }

  #onAudio(samples: Int16Array<ArrayBuffer>): void {
    if (this.#boundary.onAudio()) this.#loudspeaker?.startTurn();
    this.#loudspeaker?.play(samples);
  }

  #onMessage(message: Extract<CallSocketEvent, { type: "message" }>["message"]): void {
    if (message.type === "state") this.#boundary.onState(message.state);
    else if (message.type === "mark") this.#loudspeaker?.mark(message.name);
    else if (message.type === "clear") void this.#clear();
  }

  async #clear(): Promise<void> {
    this.#boundary.onClear();
    const playedMs = (await this.#loudspeaker?.clear()) ?? 0;
    this.#socket?.send({ type: "clear", playedMs });
  }

  #onFrame({ samples, level }: MicrophoneFrame): void {
    this.#options.onLevel("caller", level);
    const speaking = this.#gate.push(level);
    if (speaking !== this.#callerSpeaking) this.#options.onEvent({ type: "caller-speaking", speaking });
    this.#callerSpeaking = speaking;
    this.#socket?.sendAudio(samples);
  }

  #loseMicrophone(): void {
    this.#recognizer?.stop();
    void this.#microphone?.close();
    this.#microphone = undefined;
    this.#options.onEvent({ type: "microphone", microphone: { is: "failed", fault: "lost" } });
  }

  /** Starts once it is known that the gateway does not transcribe and that there is a microphone. */
  #startRecognizer(): void {
    if (this.#recognition !== "client" || this.#microphone === undefined) return;
    this.#recognizer ??= this.#options.devices.createRecognizer({
      track: this.#microphone.track,
      onPartial: (text) => this.#options.onEvent({ type: "hearing", text }),
      onFinal: (text) => this.say(text),
      onUnavailable: () => this.#options.onEvent({ type: "no-recognizer" }),
    });
    if (this.#recognizer === undefined) this.#options.onEvent({ type: "no-recognizer" });
    else this.#recognizer.start();
  }

  #release(): void {
    this.#over.abort();
    this.#recognizer?.stop();
    void this.#microphone?.close();
    const loudspeaker = this.#loudspeaker;
    setTimeout(() => void loudspeaker?.close(), LAST_WORDS_MS);
  }
}
