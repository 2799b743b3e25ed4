import { FRAME_SAMPLES, PCM_RATE_HZ } from "@parley/media/pcm.ts";
import { SpeechError } from "@parley/media/speech-error.ts";
import type { SpeechFile, SttEvent, SttSession, SttVendor } from "@parley/media/stt/port.ts";
import type { Clock } from "@parley/shared/clock.ts";

/** Recognizers of utterances forget what is older than a minute, and some take less. */
const PIECE_SAMPLES = 25 * PCM_RATE_HZ;
const PIECE_TIMEOUT_MS = 60_000;

/** Recorded speech: 16 kHz mono, or a file as it is that only some vendors can decode. */
export type RecordedSpeech = Int16Array | SpeechFile;

/** One of an agent's recognizers. */
interface Recognizer {
  readonly vendor: string;
  readonly language: string;
  readonly model?: string | undefined;
}

export interface Transcript {
  readonly text: string;
  readonly vendor: string;
}

interface TranscriberDeps {
  readonly recognizers: ReadonlyMap<string, SttVendor>;
  readonly clock: Clock;
}

/**
 * Turns recorded speech into text with the first of an agent's recognizers that can. Where this
 * installation has none of them, its own are asked, as in phone calls. Throws `SpeechError`.
 */
export async function transcribe(
  speech: RecordedSpeech,
  chosen: readonly Recognizer[],
  signal: AbortSignal,
  deps: TranscriberDeps,
): Promise<Transcript> {
  let failure: unknown = new SpeechError("no recognizer", "is here", { retryable: false });
  for (const recognizer of hearing(chosen, able(speech, deps.recognizers))) {
    try {
      const text = await transcribeWith(recognizer, speech, signal, deps);
      return { text, vendor: recognizer.vendor.name };
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}

/** The recognizers that can hear this speech. */
function able(speech: RecordedSpeech, all: ReadonlyMap<string, SttVendor>): ReadonlyMap<string, SttVendor> {
  if (speech instanceof Int16Array) return all;
  return new Map([...all].filter(([, { transcribeFile }]) => transcribeFile !== undefined));
}

/** A client's recognizer hears its own microphone only. */
function hearing(chosen: readonly Recognizer[], all: ReadonlyMap<string, SttVendor>): Opened[] {
  const language = chosen[0]?.language ?? "en";
  const can = (given: readonly Recognizer[]) =>
    given.flatMap(({ vendor: name, ...how }) => {
      const vendor = name === "client" ? undefined : all.get(name);
      return vendor ? [{ vendor, ...how }] : [];
    });
  const own = can(chosen);
  return own.length > 0 ? own : can([...all.keys()].map((vendor) => ({ vendor, language })));
}

type Opened = Omit<Recognizer, "vendor"> & { readonly vendor: SttVendor };

async function transcribeWith(
  opened: Opened,
  speech: RecordedSpeech,
  signal: AbortSignal,
  deps: Pick<TranscriberDeps, "clock">,
): Promise<string> {
  if (speech instanceof Int16Array) return transcribeSamples(opened, speech, signal, deps);
  const { vendor, language, model } = opened;
  const asked = { language, ...(model === undefined ? {} : { model }), signal };
  return (await vendor.transcribeFile?.(speech, asked)) ?? "";
}

async function transcribeSamples(
  { vendor, language, model }: Opened,
  sound: Int16Array,
  signal: AbortSignal,
  { clock }: Pick<TranscriberDeps, "clock">,
): Promise<string> {
  const texts: string[] = [];
  let settle: (event: SttEvent) => void = () => undefined;
  const onEvent = (event: SttEvent): void => {
    if (event.type === "final" && event.text !== "") texts.push(event.text);
    settle(event);
  };
  const session = vendor.open({ language, ...(model === undefined ? {} : { model }), onEvent });
  try {
    for (let at = 0; at < sound.length; at += PIECE_SAMPLES) {
      const heard = new Promise<void>((resolve, reject) => {
        settle = (event) => {
          if (event.type === "failed") reject(event.error);
          if (event.type === "final" && event.fromFinalize) resolve();
        };
      });
      write(session, sound.subarray(at, at + PIECE_SAMPLES));
      session.finalize();
      await within(heard, { vendor: vendor.name, signal, clock });
    }
  } finally {
    session.close();
  }
  return texts.join(" ").trim();
}

function write(session: SttSession, piece: Int16Array): void {
  for (let at = 0; at < piece.length; at += FRAME_SAMPLES) {
    const frame = new Int16Array(FRAME_SAMPLES);
    frame.set(piece.subarray(at, at + FRAME_SAMPLES));
    session.write(frame);
  }
}

function within(
  heard: Promise<void>,
  { vendor, signal, clock }: { vendor: string; signal: AbortSignal; clock: Clock },
): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = new SpeechError(vendor, "took too long", { retryable: true });
  const cancel = clock.after(PIECE_TIMEOUT_MS, () => reject(late));
  const stop = (): void => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([heard, promise]).finally(() => {
    cancel();
    signal.removeEventListener("abort", stop);
  });
}
