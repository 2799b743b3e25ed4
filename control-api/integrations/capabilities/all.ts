import type { z } from "zod";
import { bookings } from "./bookings.ts";
import type { Capability } from "./capability.ts";
import { contacts } from "./contacts.ts";
import { http } from "./http.ts";
import { messages } from "./messages.ts";
import { orders } from "./orders.ts";
import { payments } from "./payments.ts";
import { rows } from "./rows.ts";
import { tickets } from "./tickets.ts";

/** Every capability by its id. */
export const CAPABILITIES = {
  ...orders,
  ...contacts,
  ...tickets,
  ...bookings,
  ...payments,
  ...rows,
  ...messages,
  ...http,
} as const satisfies Record<string, Capability>;

export type CapabilityId = keyof typeof CAPABILITIES;
export type ArgumentsOf<K extends CapabilityId> = z.output<(typeof CAPABILITIES)[K]["arguments"]>;
export type ResultOf<K extends CapabilityId> = z.input<(typeof CAPABILITIES)[K]["result"]>;

export function isCapability(id: string): id is CapabilityId {
  return Object.hasOwn(CAPABILITIES, id);
}
