import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { isOpenAiConfigured } from "../vendors/openai-address.ts";
import { createDeepgramTts } from "./deepgram.ts";
import { createElevenLabsTts } from "./elevenlabs.ts";
import { createFlite } from "./flite.ts";
import { createOpenAiTts } from "./openai.ts";
import type { TtsVendor } from "./port.ts";

/** What the operator configured of voices; addresses are trusted. */
export interface TtsConfig {
  readonly fliteThreads: number;
  readonly openai: { readonly apiKey: string | undefined; readonly baseUrl: string };
  readonly deepgram: { readonly apiKey: string | undefined; readonly url: string };
  readonly elevenlabs: { readonly apiKey: string | undefined; readonly url: string };
}

/**
 * Every voice this process can use, by name. `flite` is always there. Throws `AppError` for keys that no
 * HTTP header can carry.
 */
export function createTtsVendors(
  config: TtsConfig,
  { clock }: { readonly clock: Clock } = { clock: systemClock },
): ReadonlyMap<string, TtsVendor> {
  const { fliteThreads, openai, deepgram, elevenlabs } = config;
  const vendors = [createFlite({ threads: fliteThreads, clock })];
  if (isOpenAiConfigured(openai)) vendors.push(createOpenAiTts({ ...openai, clock }));
  if (deepgram.apiKey !== undefined) {
    vendors.push(createDeepgramTts({ apiKey: deepgram.apiKey, url: deepgram.url, clock }));
  }
  if (elevenlabs.apiKey !== undefined) {
    vendors.push(createElevenLabsTts({ apiKey: elevenlabs.apiKey, url: elevenlabs.url, clock }));
  }
  return new Map(vendors.map((vendor) => [vendor.name, vendor]));
}
