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
  /** Loudspeaker id from `enumerateDevices`; the system default when absent. */
  readonly sinkId?: string | undefined;
}

/** Samples per block of the fallback node; a power of two, about 64 ms at 16 kHz. */
const FALLBACK_BLOCK_SAMPLES = 1024;
/** If a frozen page's audio thread never answers `clear`, the call must not hang. */
const CLEAR_DEADLINE_MS = 500;

/**
 * A call's loudspeaker. Its audio context runs at the call's rate, so the browser resamples. Open it inside a
 * user gesture: otherwise browsers block sound.
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

  /** @throws when the browser has no Web Audio, or does not load the worklet in time */
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

  /** Switches to another loudspeaker; stays with the current one if that fails. */
  async switchSpeaker(sinkId: string): Promise<void> {
    await chooseSink(this.#context, sinkId);
  }

  /** The next audio starts a new agent turn. */
  startTurn(): void {
    this.#post({ type: "turn" });
  }

  /**
   * Drops buffered audio at once. Samples the audio thread has already rendered will be heard a few ms later,
   * so they count.
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

  /** AudioWorklet exists only on https and localhost; elsewhere the older node plays, with more delay. */
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
