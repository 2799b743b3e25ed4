import { type Clock, systemClock } from "@parley/shared/clock.ts";
import {
  type RecognizerName,
  type SpeechConfig,
  STT_VENDORS,
} from "@parley/shared/contracts/speech-vendors.ts";
import { isOpenAiConfigured } from "../vendor-requests/openai-address.ts";
import { createClientStt } from "./client.ts";
import { createCommandStt } from "./command.ts";
import { createDeepgramStt } from "./deepgram.ts";
import { createOpenAiStt } from "./openai.ts";
import type { SttVendor } from "./port.ts";

/** Creates each recognizer from its settings; undefined if they do not suffice. */
const CREATE: {
  readonly [V in RecognizerName]: (settings: SpeechConfig[V], clock: Clock) => SttVendor | undefined;
} = {
  client: () => createClientStt(),
  command: ({ commandLine }, clock) =>
    commandLine === undefined ? undefined : createCommandStt({ commandLine, clock }),
  openai: (address, clock) =>
    isOpenAiConfigured(address) ? createOpenAiStt({ ...address, clock }) : undefined,
  deepgram: ({ apiKey, url }, clock) =>
    apiKey === undefined ? undefined : createDeepgramStt({ apiKey, url, clock }),
};

/**
 * Every recognizer that this process can use, by name. `client` is always there. Throws `AppError` for a command line
 * that cannot be parsed, and for keys that no HTTP header can carry.
 */
export function createSttVendors(
  config: SpeechConfig,
  { clock }: { readonly clock: Clock } = { clock: systemClock },
): ReadonlyMap<string, SttVendor> {
  const create = <V extends RecognizerName>(name: V) => CREATE[name](config[name], clock);
  const vendors = STT_VENDORS.map(create).filter((vendor) => vendor !== undefined);
  return new Map(vendors.map((vendor) => [vendor.name, vendor]));
}
