import type { z } from "zod";

/** Where each copy of zod looks for what was configured before it was loaded. */
interface ZodSettings {
  __zod_globalConfig?: Partial<ReturnType<typeof z.config>>;
}

/**
 * Lets contracts be used where the page's policy forbids code made from text: zod tries that otherwise, and the browser
 * reports it. Call it before zod is loaded; it does not load it, because most pages open without any contract.
 */
export function checkWithoutMadeCode(): void {
  const settings = globalThis as ZodSettings;
  settings.__zod_globalConfig = { ...settings.__zod_globalConfig, jitless: true };
}
