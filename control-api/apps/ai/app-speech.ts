import { SpeechError } from "@parley/media/speech-error.ts";
import type { TtsVendor, TtsVoice } from "@parley/media/tts/port.ts";
import { splitText } from "@parley/media/tts/text.ts";
import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import { OrgShare } from "@parley/shared/org-share.ts";

const SAMPLE_RATE_HZ = 16_000;
const TIMEOUT_MS = 120_000;
/** Ten minutes: the longest text at half the pace. Vendors that go on are cut off. */
const MAX_SAMPLES = 600 * SAMPLE_RATE_HZ;
/** Sent to the vendor at once; vendors' own limits are higher. */
const PIECE_CHARS = 1_000;
const MAX_IN_FLIGHT = 10;
const MAX_OF_AN_ORGANIZATION = 4;

export interface AskedSpeech extends TtsVoice {
  readonly orgId: string;
  readonly text: string;
  readonly provider: string;
  /** Aborted when no one is waiting for the speech any more. */
  readonly signal: AbortSignal;
  /** Reports the characters of each piece once its audio starts: a failure before that costs nothing. */
  readonly onSpoken: (characters: number) => void;
}

/** Speaks texts for apps with this installation's voices. */
export class AppSpeech {
  readonly #vendors: ReadonlyMap<string, TtsVendor>;
  readonly #clock: Clock;
  readonly #places = new OrgShare(MAX_IN_FLIGHT, MAX_OF_AN_ORGANIZATION);

  constructor(deps: { readonly vendors: ReadonlyMap<string, TtsVendor>; readonly clock: Clock }) {
    this.#vendors = deps.vendors;
    this.#clock = deps.clock;
  }

  /** Whether the provider can speak here. */
  has(provider: string): boolean {
    return this.#vendors.has(provider);
  }

  /**
   * Returns WAV, 16 kHz mono. Throws `AppError` too_many_requests while the organization or the process is at its limit
   * of concurrent texts, vendor_failed, deadline_exceeded, response_too_large.
   */
  async speak(asked: AskedSpeech): Promise<Uint8Array> {
    const { orgId, provider } = asked;
    const vendor = this.#vendors.get(provider);
    if (!vendor)
      throw new AppError("not_found", `${provider} is not available on this server; see /api/catalog.`);
    if (!this.#places.hasRoom(orgId)) {
      throw new AppError("too_many_requests", "Too many texts are being spoken at once. Try again shortly.", {
        retryAfterSecs: 2,
      });
    }
    this.#places.take(orgId);
    try {
      return encodeWav(await this.#samplesOf(vendor, asked), SAMPLE_RATE_HZ);
    } finally {
      this.#places.giveBack(orgId);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#vendors.values()].map((vendor) => vendor.close?.()));
  }

  async #samplesOf(vendor: TtsVendor, asked: AskedSpeech): Promise<Int16Array> {
    const { text, signal, provider, orgId: _, onSpoken, ...voice } = asked;
    const pieces = splitText(text, PIECE_CHARS);
    if (pieces.length === 0)
      throw new AppError("validation_failed", "The text has nothing to speak. Add words.");
    const late = new AbortController();
    const cancelTimer = this.#clock.after(TIMEOUT_MS, () => late.abort());
    const reply = vendor.openReply({ ...voice, signal: AbortSignal.any([signal, late.signal]) });
    try {
      const chunks: Int16Array[] = [];
      let length = 0;
      for (const piece of pieces) {
        let untold = piece.length;
        for await (const chunk of reply.say(piece)) {
          onSpoken(untold);
          untold = 0;
          chunks.push(chunk.slice());
          length += chunk.length;
          if (length > MAX_SAMPLES)
            throw new AppError("response_too_large", "The speech would take more than ten minutes.");
        }
        // An aborted vendor ends its stream without an error.
        if (late.signal.aborted) throw new AppError("deadline_exceeded", `${provider} took too long.`);
        if (signal.aborted) throw new AppError("unavailable", "The request was canceled.");
      }
      if (length === 0) throw new AppError("vendor_failed", `${provider} returned no audio for this text.`);
      return joined(chunks, length);
    } catch (cause) {
      if (cause instanceof AppError && !(cause instanceof SpeechError)) throw cause;
      throw new AppError("vendor_failed", `${provider} did not speak the text; try again later.`, { cause });
    } finally {
      cancelTimer();
      reply.close();
    }
  }
}

function joined(chunks: readonly Int16Array[], length: number): Int16Array {
  const whole = new Int16Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
