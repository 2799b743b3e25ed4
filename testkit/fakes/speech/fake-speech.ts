import { FRAME_SAMPLES, msToSamples, PCM_RATE_HZ } from "@parley/media/pcm.ts";
import { createResampler } from "@parley/media/resample/resampler.ts";
import { createCommandStt } from "@parley/media/stt/command.ts";
import { createFlite } from "@parley/media/tts/flite.ts";
import { systemClock } from "@parley/shared/clock.ts";

/** RMS level of a frame above which it counts as speech. */
const VOICE_RMS = 300;
const MS_PER_WORD = 300;

/** Synthesizes a text at 16 kHz mono. */
export type FakeVoice = (text: string) => Promise<Int16Array>;

/** Transcribes speech for a fake recognizer. */
export interface FakeRecognizer {
  /** The partial transcript while the caller is speaking. */
  interim(voicedMs: number): string;
  final(samples: Int16Array): Promise<string>;
  /** Transcribes a file of another format than WAV; absent: no such file is taken. */
  file?(bytes: Uint8Array, contentType: string): Promise<string>;
}

/** Flite on its own thread: the fakes' speech is intelligible. */
export function createFliteVoice(): FakeVoice & { close(): Promise<void> } {
  const vendor = createFlite({ threads: 1 });
  const { signal } = new AbortController();
  const speak = async (text: string): Promise<Int16Array> => {
    const reply = vendor.openReply({ signal });
    const pieces: Int16Array[] = [];
    for await (const samples of reply.say(text)) pieces.push(samples);
    return joined(pieces);
  };
  return Object.assign(speak, { close: async () => vendor.close?.() });
}

/** Returns a script's sentences in a loop, one per utterance. */
export function createScriptedRecognizer(script: readonly string[]): FakeRecognizer {
  let at = 0;
  const sentence = (): string => script[at % script.length] ?? "";
  return {
    interim: (voicedMs) =>
      sentence()
        .split(" ")
        .slice(0, Math.floor(voicedMs / MS_PER_WORD))
        .join(" "),
    final: (samples) => {
      if (voicedMsOf(samples) === 0) return Promise.resolve("");
      const text = sentence();
      at += 1;
      return Promise.resolve(text);
    },
  };
}

/** Transcribes with a local program; has no partial transcripts. */
export function createCommandRecognizer(commandLine: string): FakeRecognizer {
  const vendor = createCommandStt({ commandLine, clock: systemClock });
  return {
    interim: () => "",
    final: (samples) => {
      if (voicedMsOf(samples) === 0) return Promise.resolve("");
      return new Promise((resolve) => {
        const session = vendor.open({
          language: "en",
          onEvent: (event) => {
            session.close();
            resolve(event.type === "final" ? event.text : "");
          },
        });
        session.write(samples);
        session.finalize();
      });
    },
  };
}

export function isVoice(frame: Int16Array): boolean {
  const power = frame.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, frame.length);
  return Math.sqrt(power) > VOICE_RMS;
}

function voicedMsOf(samples: Int16Array): number {
  let voicedSamples = 0;
  for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
    if (isVoice(samples.subarray(at, at + FRAME_SAMPLES))) voicedSamples += FRAME_SAMPLES;
  }
  return voicedSamples / msToSamples(1);
}

/** Converts 16 kHz samples to 16-bit PCM bytes at another rate. */
export async function bytesAt(sampleRateHz: number, samples: Int16Array): Promise<Uint8Array> {
  const resampler = await createResampler(PCM_RATE_HZ, sampleRateHz);
  try {
    return new Uint8Array(resampler.process(samples).slice().buffer);
  } finally {
    resampler.free();
  }
}

export function joined(pieces: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
