import type { z } from "zod";

/** Where each copy of zod looks for configuration set before it was loaded. */
interface ZodSettings {
  __zod_globalConfig?: Partial<ReturnType<typeof z.config>>;
}

/**
 * Lets contracts work under a page policy that forbids code generated from text: zod otherwise tries to generate
 * some, and the browser reports it. Call this before zod loads; it does not load zod, because most pages open without
 * any contract.
 */
export function checkWithoutMadeCode(): void {
  const settings = globalThis as ZodSettings;
  settings.__zod_globalConfig = { ...settings.__zod_globalConfig, jitless: true };
}
