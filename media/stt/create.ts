import { createClientStt } from "./client.ts";
import { createCommandStt } from "./command.ts";
import type { SttVendor } from "./port.ts";

/** What the operator configured of recognisers. */
export interface SttConfig {
  readonly sttCommand: string | undefined;
}

/** Every recogniser this process can use, by name. `client` is always there. */
export function createSttVendors(config: SttConfig): ReadonlyMap<string, SttVendor> {
  const vendors = [createClientStt()];
  if (config.sttCommand !== undefined) vendors.push(createCommandStt({ commandLine: config.sttCommand }));
  return new Map(vendors.map((vendor) => [vendor.name, vendor]));
}
