import { z } from "zod";

/**
 * Lets contracts be used where the page's policy forbids code made from text: zod tries that otherwise, and the browser
 * reports it. Call it before a module with an object schema is loaded.
 */
export function checkWithoutMadeCode(): void {
  z.config({ jitless: true });
}
