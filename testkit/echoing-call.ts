import { Call } from "@parley/gateway/agent-call/call.ts";
import { assembleCall, type CallResources } from "@parley/gateway/agent-call/call-parts.ts";
import { CallTally } from "@parley/gateway/agent-call/call-tally.ts";
import type { CallerInput } from "@parley/gateway/call/live-call.ts";
import { Hearing } from "@parley/gateway/pipeline/hearing.ts";
import { FRAME_MS, FRAME_SAMPLES, samplesToMs } from "@parley/media/pcm.ts";
import { createVad } from "@parley/media/vad/webrtc-vad.ts";
import type { BrainPart } from "@parley/shared/brain/client.ts";
import type { CallEventBody } from "@parley/shared/contracts/call-events.ts";
import { callPlanSchema } from "@parley/shared/contracts/call-plan.ts";
import type { ServerMessage } from "@parley/shared/contracts/call-socket.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { NO_TRACER } from "@parley/shared/tracing/tracer.ts";
import { type Echo, EchoPath } from "./echo-path.ts";
import { Oracle, type OracleOptions } from "./oracle.ts";
import { flite } from "./speech.ts";

const LEAD_MS = 200;
const LINE_NOISE = 18;
const nothing = (): void => undefined;

export interface EchoingCallOptions {
  /** The echo of the agent's voice; none when absent. */
  readonly echo?: Echo | undefined;
  /** Peak of the line's noise, as no line is fully silent; -65 dBFS when absent. */
  readonly noise?: number;
  /** See `Oracle`. */
  readonly wordByWord?: boolean;
  readonly oracle?: Omit<OracleOptions, "isWordByWord">;
  /** Adds the room to a frame of the caller's microphone, or bends it as the line does. */
  readonly microphone?: (frame: Int16Array) => Int16Array;
  /** The agent's voice; flite's slt when absent. */
  readonly speak?: (text: string) => Promise<Int16Array>;
  readonly firstResponse?: string;
  /** The brain's answer to each turn. */
  readonly answer: (query: string) => readonly BrainPart[];
}

/**
 * A whole call in a room with an echo, in simulated time: the agent's audio returns to the caller's
 * microphone, softer and later, and a flawless recognizer hears both.
 */
export class EchoingCall {
  readonly messages: { readonly atMs: number; readonly message: ServerMessage }[] = [];
  readonly events: CallEventBody[] = [];
  readonly queries: string[] = [];
  readonly metrics = createMetrics();
  readonly #clock = new ManualClock();
  readonly #oracle: Oracle;
  readonly #options: EchoingCallOptions;
  /** Duration of each clause. */
  readonly #lengthsMs = new Map<string, number>();
  readonly #path: EchoPath | undefined;
  /** Frames, mark names, and starts of clauses. */
  #playing: (Int16Array | string | { readonly clause: string })[] = [];
  #said = "";
  #speech: Int16Array[] = [];
  #call!: Call;
  #input!: CallerInput;

  private constructor(options: EchoingCallOptions) {
    this.#options = options;
    this.#oracle = new Oracle({ isWordByWord: options.wordByWord ?? false, ...options.oracle });
    this.#path = options.echo && new EchoPath(options.echo);
  }

  static async start(options: EchoingCallOptions): Promise<EchoingCall> {
    const room = new EchoingCall(options);
    // From here on, the voice answers at once.
    await flite("Hello.");
    await room.#connect();
    return room;
  }

  get nowMs(): number {
    return this.#clock.monotonicMs();
  }

  /** Makes the caller say `words` (`samples` at 16 kHz) from now on. */
  say(samples: Int16Array, words = ""): void {
    const fromMs = this.nowMs + this.#speech.length * FRAME_MS;
    this.#oracle.speaks("caller", words, { fromMs, toMs: fromMs + samplesToMs(samples.length) });
    for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES) {
      this.#speech.push(samples.subarray(at, at + FRAME_SAMPLES));
    }
  }

  type(text: string): void {
    this.#input.onMessage({ type: "text", text });
  }

  /** Advances time until `isDone`, by at most `mostMs`. Returns whether it was. */
  async until(isDone: () => boolean, mostMs: number): Promise<boolean> {
    for (const endMs = this.nowMs + mostMs; this.nowMs < endMs && !isDone(); ) await this.#step();
    return isDone();
  }

  async pass(ms: number): Promise<void> {
    await this.until(() => false, ms);
  }

  /** Final transcripts of one side, in order. */
  said(role: "user" | "assistant"): string[] {
    return this.messages.flatMap(({ message }) =>
      message.type === "transcript" && message.final && message.role === role ? [message.text] : [],
    );
  }

  /** When each message of a type arrived. */
  timesOf(type: ServerMessage["type"]): number[] {
    return this.messages.flatMap(({ atMs, message }) => (message.type === type ? [atMs] : []));
  }

  async #step(): Promise<void> {
    this.#clock.advance(FRAME_MS);
    const frame = this.#hear(this.#play());
    this.#oracle.hear(frame, this.nowMs);
    this.#input.onAudio(frame);
    this.#call.tick();
    // Brain and voice answer at once; lets them finish before time advances.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** The next frame out of the caller's loudspeaker. */
  #play(): Int16Array | undefined {
    for (;;) {
      const next = this.#playing.shift();
      if (next === undefined || next instanceof Int16Array) return next;
      if (typeof next === "string") this.#input.onMessage({ type: "mark", name: next });
      else this.#says(next.clause);
    }
  }

  /** A clause starts playing; announced texts of a reply are cumulative. */
  #says(text: string): void {
    const clause = (text.startsWith(this.#said) ? text.slice(this.#said.length) : text).trim();
    this.#said = text;
    const delayMs = this.#path?.delayMs(this.nowMs) ?? 0;
    const fromMs = this.nowMs - FRAME_MS + delayMs;
    this.#oracle.speaks("agent", clause, { fromMs, toMs: fromMs + (this.#lengthsMs.get(clause) ?? 0) });
  }

  #hear(played: Int16Array | undefined): Int16Array {
    const said = this.#speech.shift();
    const echo = this.#path?.push(played) ?? new Int16Array(FRAME_SAMPLES);
    this.#oracle.sounds({ agent: echo, caller: said }, this.nowMs);
    const { noise = LINE_NOISE, microphone } = this.#options;
    const frame = echo.map(
      (sample, i) => sample + (said?.[i] ?? 0) + Math.round(noiseAt(i + this.nowMs) * noise),
    );
    return microphone ? microphone(frame) : frame;
  }

  async #connect(): Promise<void> {
    const away = { onTransferInvalid: nothing, onHandOffDue: nothing };
    const ended = { onLastWords: nothing, onVoiceFailed: nothing, ...away };
    this.#call = new Call(assembleCall(await this.#resources(), ended));
    const attached = this.#call.attach(
      {
        format: { encoding: "pcm_s16le", sampleRate: 16_000 },
        reportsPlayed: false,
        send: (message) => this.#onMessage(message),
        sendFrame: (frame) => this.#playing.push(frame.slice()),
        together: (work) => work(),
        close: nothing,
      },
      { resume: undefined, end: "client", hasFreshTicket: true },
    );
    if (!attached.ok) throw new Error(`the call refused its caller: ${attached.reason}`);
    this.#input = attached.input;
  }

  #onMessage(message: ServerMessage): void {
    this.messages.push({ atMs: this.nowMs, message });
    if (message.type === "mark") this.#playing.push(message.name);
    if (message.type === "transcript" && message.role === "assistant" && !message.final) {
      this.#playing.push({ clause: message.text });
    }
    if (message.type !== "clear") return;
    this.#playing = [];
    this.#oracle.agentIsCut(this.nowMs);
  }

  async #resources(): Promise<CallResources> {
    const { firstResponse, answer } = this.#options;
    const clock = this.#clock;
    const plan = callPlanSchema.parse({
      brain: { url: "http://127.0.0.1:9/" },
      ...{ sessionId: "ses_echo", callId: "cal_echo", orgId: "org_test", agentId: "agt_test" },
      ...{ userId: "usr_test", identifier: null, variables: {}, nodeId: "nod_test" },
      createdAt: "2026-01-01T00:00:00.000Z",
      recording: false,
      silence: { promptAfterMs: 0, hangupAfterMs: 0 },
      ...(firstResponse === undefined ? {} : { firstResponse }),
    });
    const { queries } = this;
    return {
      ...{ plan, nodeId: "nod_test", resumeToken: "token", resumeWindowMs: 15_000, leadMs: LEAD_MS },
      now: () => clock.monotonicMs(),
      sleep: (ms) => new Promise((resolve) => void clock.after(ms, () => resolve())),
      after: (ms, fn) => clock.after(ms, fn),
      frontEnd: new Hearing({
        vad: await createVad(2),
        frontEnd: undefined,
        now: () => clock.monotonicMs(),
        onLate: nothing,
      }),
      openStt: (onEvent) => this.#oracle.open(onEvent),
      endOfTurn: undefined,
      recognition: "server",
      openVoice: () => ({ say: (text) => this.#speak(text), close: nothing }),
      voiceOf: () => () => ({ say: (text) => this.#speak(text), close: nothing }),
      brain: {
        ask: async function* ask({ request }) {
          queries.push(request.query);
          yield* answer(request.query);
        },
      },
      ...{ recording: undefined, storeRecording: async () => undefined },
      frames: { publish: nothing },
      events: { append: (body) => void this.events.push(body), stamp: () => "2026-01-01T00:00:00.000Z" },
      metrics: this.metrics,
      span: NO_TRACER.open("call", 0),
      log: createLogger({ level: "error", format: "json", name: "test" }),
      ...{ tally: new CallTally(), onEnded: nothing },
    };
  }

  async *#speak(text: string): AsyncIterable<Int16Array> {
    const samples = await (this.#options.speak ?? flite)(text);
    this.#lengthsMs.set(text.trim(), samplesToMs(samples.length));
    yield samples;
  }
}

/** Deterministic noise by position. */
function noiseAt(seed: number): number {
  const value = Math.sin(seed * 12.9898) * 43_758.5453;
  return (value - Math.floor(value)) * 2 - 1;
}
