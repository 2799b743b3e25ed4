import type { OrgEvent } from "../../webhooks/raise-org-event.ts";

/** An event of billing, without its organization and time. */
export type BillingEvent = Extract<OrgEvent, { event: `billing.${string}` }>;
