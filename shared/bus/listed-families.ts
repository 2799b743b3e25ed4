import { NODE_KEY_PREFIX } from "../contracts/gateway-nodes.ts";
import { SCRAPE_KEY_PREFIX } from "../contracts/scrape-targets.ts";

/** Families of keys that are listed often: each has its own index, so that no list walks all keys. */
const LISTED_FAMILIES: readonly string[] = [NODE_KEY_PREFIX, SCRAPE_KEY_PREFIX];

/** The family that lists a key. */
export function familyOf(key: string): string | undefined {
  return LISTED_FAMILIES.find((family) => key.startsWith(family));
}

export function isListedFamily(prefix: string): boolean {
  return LISTED_FAMILIES.includes(prefix);
}
