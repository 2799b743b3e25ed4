import { createFlite } from "./flite.ts";
import type { TtsVendor } from "./port.ts";

/** What the operator configured of voices. */
export interface TtsConfig {
  readonly fliteThreads: number;
}

/** Every voice this process can use, by name. */
export function createTtsVendors(config: TtsConfig): ReadonlyMap<string, TtsVendor> {
  const vendors = [createFlite({ threads: config.fliteThreads })];
  return new Map(vendors.map((vendor) => [vendor.name, vendor]));
}
