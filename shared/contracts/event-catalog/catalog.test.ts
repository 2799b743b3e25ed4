import { describe, expect, it } from "vitest";
import { EVENT_CATALOG, EVENT_NAMES, isEventName, isSessionEvent } from "./catalog.ts";

/** Written out: a name on the wire never changes. */
const SESSION = [
  "call.started",
  "call.ended",
  "call.machine_detected",
  "call.dtmf",
  "transcript.ready",
  "tool.invoked",
  "recording.ready",
  "call.analyzed",
];
const ORG = [
  "whatsapp.message.received",
  "whatsapp.message.status",
  "whatsapp.account.health",
  "billing.invoice_issued",
  "billing.payment_overdue",
  "billing.account_suspended",
  "billing.number_renewal_due",
  "billing.number_renewed",
  "billing.number_renewal_failed",
  "billing.number_release_pending",
  "billing.number_released_nonpayment",
];

describe("the event catalog", () => {
  it("has these events and no others, each with its scope", () => {
    expect([...EVENT_NAMES].sort()).toEqual([...SESSION, ...ORG].sort());
    expect(EVENT_NAMES.filter(isSessionEvent).sort()).toEqual([...SESSION].sort());
  });

  it.each(EVENT_NAMES)("has a sample of %s that its schema takes whole", (name) => {
    const { schema, sample } = EVENT_CATALOG[name];
    expect(schema.parse(sample)).toEqual(sample);
    expect(sample.event).toBe(name);
  });

  it("takes exactly three fractional digits and no others", () => {
    const { schema, sample } = EVENT_CATALOG["call.dtmf"];
    for (const at of ["2026-11-20T10:15:30Z", "2026-11-20T10:15:30.12Z", "2026-11-20T10:15:30.123456Z"])
      expect(schema.safeParse({ ...sample, occurredAt: at }).success).toBe(false);
  });

  it("keeps agent and identifier out of an organization's events", () => {
    for (const name of ORG) {
      const sample: object = isEventName(name) ? EVENT_CATALOG[name].sample : {};
      expect(Object.keys(sample)).not.toEqual(expect.arrayContaining(["agentId"]));
      expect(Object.keys(sample)).not.toEqual(expect.arrayContaining(["identifier"]));
    }
  });

  it.each(["toString", "__proto__", "call.Started", "*", ""])("does not know %j", (name) => {
    expect(isEventName(name)).toBe(false);
  });
});
