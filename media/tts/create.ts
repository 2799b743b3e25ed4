import { type Clock, systemClock } from "@parley/shared/clock.ts";
import {
  type SpeechConfig,
  TTS_VENDORS,
  type VoiceProviderName,
} from "@parley/shared/contracts/speech-vendors.ts";
import { isOpenAiConfigured } from "../vendor-requests/openai-address.ts";
import { createDeepgramTts } from "./deepgram.ts";
import { createElevenLabsTts } from "./elevenlabs.ts";
import { createFlite } from "./flite.ts";
import { createOpenAiTts } from "./openai.ts";
import type { TtsVendor } from "./port.ts";

/** Creates each voice from its settings; undefined if they do not suffice. */
const CREATE: {
  readonly [V in VoiceProviderName]: (settings: SpeechConfig[V], clock: Clock) => TtsVendor | undefined;
} = {
  flite: ({ threads }, clock) => createFlite({ threads, clock }),
  openai: (address, clock) =>
    isOpenAiConfigured(address) ? createOpenAiTts({ ...address, clock }) : undefined,
  deepgram: ({ apiKey, url }, clock) =>
    apiKey === undefined ? undefined : createDeepgramTts({ apiKey, url, clock }),
  elevenlabs: ({ apiKey, url }, clock) =>
    apiKey === undefined ? undefined : createElevenLabsTts({ apiKey, url, clock }),
};

/**
 * Every voice that this process can use, by name. `flite` is always there. Throws `AppError` for keys that no HTTP
 * header can carry.
 */
export function createTtsVendors(
  config: SpeechConfig,
  { clock }: { readonly clock: Clock } = { clock: systemClock },
): ReadonlyMap<string, TtsVendor> {
  const create = <V extends VoiceProviderName>(name: V) => CREATE[name](config[name], clock);
  const vendors = TTS_VENDORS.map(create).filter((vendor) => vendor !== undefined);
  return new Map(vendors.map((vendor) => [vendor.name, vendor]));
}
