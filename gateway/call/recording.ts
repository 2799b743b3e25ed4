import { PCM_RATE_HZ, samplesToMs } from "@parley/media/pcm.ts";
import { CallerTimeline } from "@parley/media/recorder/caller-timeline.ts";
import { StereoRecorder } from "@parley/media/recorder/stereo-recorder.ts";
import { WavWriter } from "@parley/media/wav/wav-writer.ts";
import type { RecordingSink } from "../recordings/recording-store.ts";

/** The longest delay before caller audio is placed; a stall of more than a second would otherwise lose some of it. */
const BEHIND_MS = 1_500;
/** Slack beyond the lead, because the output sends a tick early and three frames at once. */
const AHEAD_SLACK_MS = 80;

/** Stereo WAV of a call on the call's own clock: the caller on the left, what the caller heard on the right. */
export class CallRecording {
  readonly #sink: RecordingSink;
  readonly #timeline: CallerTimeline;
  readonly #recorder: StereoRecorder;
  readonly #now: () => number;

  /** `leadMs`: how far ahead of its playing time agent audio arrives. */
  constructor(sink: RecordingSink, { now, leadMs }: { now: () => number; leadMs: number }) {
    this.#sink = sink;
    this.#now = now;
    const writer = new WavWriter({ sink, sampleRateHz: PCM_RATE_HZ, channels: 2 });
    this.#recorder = new StereoRecorder({
      writer,
      behindMs: BEHIND_MS,
      aheadMs: leadMs + AHEAD_SLACK_MS,
    });
    this.#timeline = new CallerTimeline({
      startMs: now(),
      write: (at, samples) => this.#recorder.writeCaller(at, samples),
    });
  }

  /** Takes caller audio as it arrives. */
  hear(samples: Int16Array): void {
    this.#timeline.push(this.#now(), samples);
  }

  /** Takes agent audio that the caller hears at `playAtMs`. */
  speak(frame: Int16Array, playAtMs: number): void {
    this.#recorder.writeAgent(this.#timeline.positionAt(playAtMs), frame);
  }

  /** Discards agent audio that was sent but not played yet. */
  silenceAgent(): void {
    this.#recorder.eraseAgentFrom(this.#timeline.positionAt(this.#now()));
  }

  /** Called every 20 ms. */
  tick(nowMs: number): void {
    this.#timeline.tick(nowMs);
    this.#recorder.advance(this.#timeline.positionAt(nowMs));
  }

  /** Ends the recording now and stores it. */
  async finish(): Promise<{ durationMs: number; sizeBytes: number }> {
    this.#timeline.end();
    const endSample = this.#timeline.positionAt(this.#now());
    this.#recorder.finish(endSample);
    const { sizeBytes } = await this.#sink.finish();
    return { durationMs: Math.round(samplesToMs(endSample)), sizeBytes };
  }
}
