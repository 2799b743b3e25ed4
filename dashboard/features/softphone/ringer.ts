import { chooseSink } from "../talk/sink.ts";

/** A repeating signal: its tones in Hz, duration, period and gain (0 to 1). */
interface Signal {
  readonly tonesHz: readonly number[];
  readonly onMs: number;
  readonly everyMs: number;
  readonly gain: number;
}

const SIGNALS = {
  /** Heard while the far end rings. */
  ringback: { tonesHz: [440, 480], onMs: 1_200, everyMs: 4_000, gain: 0.03 },
  incoming: { tonesHz: [660, 880], onMs: 900, everyMs: 2_500, gain: 0.12 },
  /** An incoming call during a call: soft and infrequent. */
  waiting: { tonesHz: [440], onMs: 200, everyMs: 5_000, gain: 0.04 },
  /** Plays once, to test a loudspeaker. */
  test: { tonesHz: [523, 659], onMs: 900, everyMs: 60_000, gain: 0.15 },
} as const satisfies Record<string, Signal>;

const FADE_SECS = 0.03;

/** Plays a signal until the returned function is called. Silent where the browser requires a gesture first. */
export function ring(name: keyof typeof SIGNALS, speakerId: string | undefined): () => void {
  const { tonesHz, onMs, everyMs, gain }: Signal = SIGNALS[name];
  const context = new AudioContext();
  void chooseSink(context, speakerId ?? "");
  const volume = context.createGain();
  volume.gain.value = 0;
  volume.connect(context.destination);
  const oscillators = tonesHz.map((frequency) => new OscillatorNode(context, { frequency }));
  for (const oscillator of oscillators) {
    oscillator.connect(volume);
    oscillator.start();
  }
  const sound = (): void => {
    const now = context.currentTime;
    volume.gain.setTargetAtTime(gain, now, FADE_SECS);
    volume.gain.setTargetAtTime(0, now + onMs / 1_000, FADE_SECS);
  };
  sound();
  const timer = setInterval(sound, everyMs);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}
