import { withBackground } from "@parley/media/background/with-background.ts";
import { atVolume } from "@parley/media/tts/at-volume.ts";
import type { TtsVendor } from "@parley/media/tts/port.ts";
import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { SampleSound } from "@parley/shared/contracts/providers.ts";
import { AppError } from "@parley/shared/errors.ts";
import { OrgShare } from "@parley/shared/org-share.ts";

const SENTENCE = "Hello, thanks for calling. How can I help you today?";
const SAMPLE_RATE_HZ = 16_000;
const TIMEOUT_MS = 15_000;
/** Half a minute: a vendor that does not stop is cut off. */
const MAX_SAMPLES = 30 * SAMPLE_RATE_HZ;
const MAX_IN_FLIGHT = 10;
const MAX_OF_AN_ORGANIZATION = 2;

export interface AskedSample {
  readonly provider: string;
  readonly voice: string;
  readonly sound: SampleSound;
}

/**
 * One sentence per voice as WAV (16 kHz mono), synthesized once and cached: the list of voices bounds the cache.
 * Samples with other settings are synthesized every time. A failed sample is retried on the next request.
 */
export class VoiceSamples {
  readonly #vendors: ReadonlyMap<string, TtsVendor>;
  readonly #clock: Clock;
  readonly #samples = new Map<string, Promise<Uint8Array>>();
  readonly #places = new OrgShare(MAX_IN_FLIGHT, MAX_OF_AN_ORGANIZATION);

  constructor(deps: { readonly vendors: ReadonlyMap<string, TtsVendor>; readonly clock: Clock }) {
    this.#vendors = deps.vendors;
    this.#clock = deps.clock;
  }

  /**
   * Throws `AppError` vendor_failed, too_many_requests (the organization or the process is at its limit of samples in
   * progress), not_found without the vendor.
   */
  async of(orgId: string, { provider, voice, sound }: AskedSample): Promise<Uint8Array> {
    const key = `${provider}/${voice}`;
    const isPlain = isAsSent(sound);
    const known = isPlain ? this.#samples.get(key) : undefined;
    if (known !== undefined) return known;
    const vendor = this.#vendors.get(provider);
    if (!vendor) throw new AppError("not_found", "This provider is not set up on this server.");
    if (!this.#places.hasRoom(orgId)) {
      throw new AppError("too_many_requests", "Too many samples are being made. Try again shortly.", {
        retryAfterSecs: 2,
      });
    }
    this.#places.take(orgId);
    const sample = this.#make(vendor, voice, sound).finally(() => this.#places.giveBack(orgId));
    if (!isPlain) return sample;
    this.#samples.set(key, sample);
    sample.catch(() => this.#samples.delete(key));
    return sample;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#vendors.values()].map((vendor) => vendor.close?.()));
  }

  async #make(
    vendor: TtsVendor,
    voice: string,
    { model, speed, volumeDb, background, backgroundVolumeDb }: SampleSound,
  ): Promise<Uint8Array> {
    const aborted = new AbortController();
    const cancelTimer = this.#clock.after(TIMEOUT_MS, () => aborted.abort());
    const style = { voice, ...(model === undefined ? {} : { model }), speed };
    const reply = atVolume(vendor.openReply({ ...style, signal: aborted.signal }), volumeDb);
    try {
      const samples: number[] = [];
      for await (const chunk of reply.say(SENTENCE)) {
        for (const sample of chunk) samples.push(sample);
        if (samples.length > MAX_SAMPLES) break;
      }
      if (samples.length === 0) throw new Error("no audio");
      const voice = Int16Array.from(samples);
      const heard = await withBackground(voice, { sound: background, volumeDb: backgroundVolumeDb });
      return encodeWav(heard, SAMPLE_RATE_HZ);
    } catch (cause) {
      throw new AppError("vendor_failed", "The provider returned no sample. Try again later.", { cause });
    } finally {
      cancelTimer();
      reply.close();
    }
  }
}

/** Whether the sample uses the provider's defaults. */
function isAsSent({ model, speed, volumeDb, background }: SampleSound): boolean {
  return model === undefined && speed === 1 && volumeDb === 0 && background === "none";
}
