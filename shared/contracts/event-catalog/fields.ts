import { z } from "zod";

/** RFC 3339 in UTC with exactly three fractional digits (spec 2, "Fields on every event"). */
const occurredAt = z.iso.datetime({ precision: 3 });
/** RFC 3339 with any number of fractional digits. */
const timestamp = z.iso.datetime();

export const orgEvent = { orgId: z.string(), occurredAt };
export const sessionEvent = {
  ...orgEvent,
  sessionId: z.string(),
  agentId: z.string().nullable(),
  identifier: z.string().nullable(),
};

/** From one read of the session's row; null together when that failed. */
const sessionRow = {
  direction: z.enum(["inbound", "outbound", "web", "whatsapp", "instagram"]).nullable(),
  channel: z
    .enum(["telephony", "softphone", "web_chat", "chat", "whatsapp", "instagram", "simulation"])
    .nullable(),
  callSid: z.string().nullable(),
  fromNumber: z.string().nullable(),
  toNumber: z.string().nullable(),
};

export const callEvent = {
  ...sessionEvent,
  ...sessionRow,
  userId: z.string(),
  variables: z.record(z.string(), z.string()),
  startTime: timestamp,
};
export const machineEvent = { ...sessionEvent, ...sessionRow };
export { timestamp };

/** What samples are made of. */
export const SAMPLE = {
  org: { orgId: "org_019b2c3d4e5f70718293a4b5c6d7e8f9", occurredAt: "2026-11-20T10:15:30.000Z" },
  session: {
    orgId: "org_019b2c3d4e5f70718293a4b5c6d7e8f9",
    occurredAt: "2026-11-20T10:15:30.000Z",
    sessionId: "ses_019b2c3d4e5f70718293a4b5c6d7e8f9",
    agentId: "agt_019b2c3d4e5f70718293a4b5c6d7e8f9",
    identifier: "customer-7",
  },
  row: {
    direction: "web",
    channel: "web_chat",
    callSid: null,
    fromNumber: null,
    toNumber: null,
  },
} as const;
