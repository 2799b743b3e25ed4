import { MicrophoneError, type MicrophoneFault } from "./microphone-fault.ts";
import type { MicrophoneFrame } from "./microphone-framer.ts";
import workletUrl from "./microphone-worklet.ts?worker&url";
import { loadWorklet, startAudio } from "./start-audio.ts";
import { MICROPHONE_PROCESSOR } from "./worklet-scope.ts";

export interface MicrophoneOptions {
  /** Receives 20 ms of caller audio in real time; silence when muted. */
  readonly onFrame: (frame: MicrophoneFrame) => void;
  /** The device was unplugged, or the permission revoked. */
  readonly onLost: () => void;
  /** Device id from `enumerateDevices`; the browser's own choice when absent. */
  readonly deviceId?: string | undefined;
}

const CONSTRAINTS = {
  echoCancellation: true,
  noiseSuppression: true,
  autoGainControl: true,
  channelCount: 1,
} as const satisfies MediaTrackConstraints;

/** Faults by the DOMException names of getUserMedia (Media Capture and Streams). */
const FAULTS: Readonly<Record<string, MicrophoneFault>> = {
  NotAllowedError: "refused",
  SecurityError: "refused",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "busy",
  AbortError: "busy",
};

/** The caller's microphone as 20 ms messages of 16 kHz audio. */
export class Microphone {
  readonly #stream: MediaStream;
  readonly #context: AudioContext;

  private constructor(stream: MediaStream, context: AudioContext) {
    this.#stream = stream;
    this.#context = context;
  }

  /**
   * Asks for the microphone; the browser may prompt meanwhile.
   * @throws MicrophoneError
   */
  static async open(options: MicrophoneOptions, signal: AbortSignal): Promise<Microphone> {
    const stream = await openStream(options.deviceId);
    if (signal.aborted) {
      stopTracks(stream);
      throw new MicrophoneError("lost", signal.reason);
    }
    const microphone = new Microphone(stream, new AudioContext({ latencyHint: "interactive" }));
    try {
      await microphone.#connect(options);
    } catch (error) {
      await microphone.close();
      throw new MicrophoneError("broken", error);
    }
    return microphone;
  }

  /** The live track, for a recognizer that can listen to it after echo cancellation. */
  get track(): MediaStreamTrack | undefined {
    return this.#stream.getAudioTracks()[0];
  }

  /** Sends silence instead, so that the far end's turn and recording clocks keep running. */
  mute(): void {
    this.#enable(false);
  }

  unmute(): void {
    this.#enable(true);
  }

  async close(): Promise<void> {
    stopTracks(this.#stream);
    if (this.#context.state !== "closed") await this.#context.close();
  }

  #enable(enabled: boolean): void {
    for (const track of this.#stream.getAudioTracks()) track.enabled = enabled;
  }

  async #connect(options: MicrophoneOptions): Promise<void> {
    await loadWorklet(this.#context, workletUrl);
    const node = new AudioWorkletNode(this.#context, MICROPHONE_PROCESSOR, {
      numberOfOutputs: 1,
      channelCount: 1,
      channelCountMode: "explicit",
    });
    node.port.onmessage = ({ data }: MessageEvent<MicrophoneFrame>) => options.onFrame(data);
    this.track?.addEventListener("ended", () => options.onLost());
    this.#context.createMediaStreamSource(this.#stream).connect(node);
    // Some browsers only run nodes connected to the loudspeaker; this node's output stays silent.
    node.connect(this.#context.destination);
    await startAudio(this.#context);
  }
}

async function openStream(deviceId: string | undefined): Promise<MediaStream> {
  if (navigator.mediaDevices === undefined) throw new MicrophoneError("insecure");
  try {
    const which = deviceId === undefined ? {} : { deviceId: { exact: deviceId } };
    return await navigator.mediaDevices.getUserMedia({ audio: { ...CONSTRAINTS, ...which } });
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    throw new MicrophoneError(FAULTS[name] ?? "broken", error);
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
