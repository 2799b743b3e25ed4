import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { isOpenAiConfigured } from "../vendors/openai-address.ts";
import { createClientStt } from "./client.ts";
import { createCommandStt } from "./command.ts";
import { createDeepgramStt } from "./deepgram.ts";
import { createOpenAiStt } from "./openai.ts";
import type { SttVendor } from "./port.ts";

/** What the operator configured of recognizers; addresses are trusted. */
export interface SttConfig {
  readonly sttCommand: string | undefined;
  readonly openai: { readonly apiKey: string | undefined; readonly baseUrl: string };
  readonly deepgram: { readonly apiKey: string | undefined; readonly url: string };
}

/**
 * Every recognizer this process can use, by name. `client` is always there. Throws `AppError` for a
 * command line that cannot be read, and for keys that no HTTP header can carry.
 */
export function createSttVendors(
  config: SttConfig,
  { clock }: { readonly clock: Clock } = { clock: systemClock },
): ReadonlyMap<string, SttVendor> {
  const { sttCommand, openai, deepgram } = config;
  const vendors = [createClientStt()];
  if (sttCommand !== undefined) vendors.push(createCommandStt({ commandLine: sttCommand, clock }));
  if (isOpenAiConfigured(openai)) vendors.push(createOpenAiStt({ ...openai, clock }));
  if (deepgram.apiKey !== undefined) {
    vendors.push(createDeepgramStt({ apiKey: deepgram.apiKey, url: deepgram.url, clock }));
  }
  return new Map(vendors.map((vendor) => [vendor.name, vendor]));
}
