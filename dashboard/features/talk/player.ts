import workletUrl from "./player-worklet.ts?worker&url";
import { type PlayoutCommand, PlayoutEngine, type PlayoutReport } from "./playout-engine.ts";
import { chooseSink } from "./sink.ts";
import { loadWorklet, startAudio } from "./start-audio.ts";
import { PLAYER_PROCESSOR } from "./worklet-scope.ts";

export interface PlayerOptions {
  readonly sampleRateHz: number;
  /** Everything up to this mark has left the loudspeaker. */
  readonly onMark: (name: string) => void;
  /** Loudness from 0 to 1, about 16 times a second. */
  readonly onLevel: (level: number) => void;
  /** Which loudspeaker, as `enumerateDevices` names it; the system's own when absent. */
  readonly sinkId?: string | undefined;
}

/** Samples per block of the fallback node; a power of two, about 64 ms at 16 kHz. */
const FALLBACK_BLOCK_SAMPLES = 1024;
/** An answer to `clear` that the audio thread never gives (page frozen) must not hang the call. */
const CLEAR_DEADLINE_MS = 500;

/**
 * The loudspeaker of a call. Its audio context runs at the rate of the call, so the browser resamples.
 * Open it inside a user gesture: browsers keep sound off otherwise.
 */
export class Player {
  readonly #context: AudioContext;
  readonly #options: PlayerOptions;
  readonly #waitingForClear: ((heardMs: number) => void)[] = [];
  #post: (command: PlayoutCommand) => void = () => undefined;

  private constructor(options: PlayerOptions) {
    this.#options = options;
    this.#context = new AudioContext({ sampleRate: options.sampleRateHz, latencyHint: "interactive" });
  }

  /** @throws when the browser has no Web Audio at all, or does not load our part of it in time */
  static async open(options: PlayerOptions): Promise<Player> {
    const player = new Player(options);
    if (options.sinkId !== undefined) await player.switchSpeaker(options.sinkId);
    const started = startAudio(player.#context);
    try {
      await player.#connect();
    } catch (error) {
      await Promise.allSettled([started]);
      await player.close();
      throw error;
    }
    await started;
    return player;
  }

  play(samples: Int16Array<ArrayBuffer>): void {
    this.#post({ type: "audio", samples });
  }

  mark(name: string): void {
    this.#post({ type: "mark", name });
  }

  /** Plays on another loudspeaker from now on; where that cannot be, it stays. */
  async switchSpeaker(sinkId: string): Promise<void> {
    await chooseSink(this.#context, sinkId);
  }

  /** The next audio is the start of a new agent turn. */
  startTurn(): void {
    this.#post({ type: "turn" });
  }

  /**
   * Drops what is buffered at once. What the audio thread has rendered cannot be taken back and is heard a
   * few ms later, so it counts.
   * @returns ms of the current agent turn that are heard
   */
  clear(): Promise<number> {
    const heardMs = new Promise<number>((resolve) => {
      this.#waitingForClear.push(resolve);
      setTimeout(() => resolve(0), CLEAR_DEADLINE_MS);
    });
    this.#post({ type: "clear" });
    return heardMs;
  }

  async close(): Promise<void> {
    if (this.#context.state !== "closed") await this.#context.close();
  }

  /** AudioWorklet exists on https and localhost only; elsewhere the older node plays, with more delay. */
  async #connect(): Promise<void> {
    if (this.#context.audioWorklet === undefined) return this.#connectFallback();
    await loadWorklet(this.#context, workletUrl);
    const node = new AudioWorkletNode(this.#context, PLAYER_PROCESSOR, {
      numberOfInputs: 0,
      outputChannelCount: [1],
    });
    node.port.onmessage = ({ data }: MessageEvent<PlayoutReport>) => this.#onReport(data);
    this.#post = (command) => {
      node.port.postMessage(command, command.type === "audio" ? [command.samples.buffer] : []);
    };
    node.connect(this.#context.destination);
  }

  #connectFallback(): void {
    const engine = new PlayoutEngine(this.#context.sampleRate, (report) => this.#onReport(report));
    const node = this.#context.createScriptProcessor(FALLBACK_BLOCK_SAMPLES, 0, 1);
    node.onaudioprocess = ({ outputBuffer }) => engine.render(outputBuffer.getChannelData(0));
    this.#post = (command) => engine.handle(command);
    node.connect(this.#context.destination);
  }

  #onReport(report: PlayoutReport): void {
    if (report.type === "level") this.#options.onLevel(report.level);
    else if (report.type === "cleared") this.#waitingForClear.shift()?.(report.heardMs);
    else this.#options.onMark(report.name);
  }
}
