import { z } from "zod";
import { CHANNELS, DIRECTIONS, type Values } from "./values.ts";

/**
 * A field with its description and the meaning of its values for the documentation. Both go into its JSON Schema, the
 * latter as `x-values`, an OpenAPI extension.
 */
export function about<T extends z.ZodType>(schema: T, description: string, values?: Values): T {
  return schema.meta({ description, ...(values === undefined ? {} : { "x-values": values }) });
}

/** RFC 3339 in UTC with exactly three fractional digits (docs/webhooks.md#fields-of-every-event). */
const occurredAt = z.iso.datetime({ precision: 3 });
/** RFC 3339 with any number of fractional digits. */
const timestamp = z.iso.datetime();

export const orgEvent = {
  orgId: about(z.string(), "the organization"),
  occurredAt: about(
    occurredAt,
    "when it happened: RFC 3339, UTC, exactly three fractional digits; order by it, and refuse what is too old for you",
  ),
};
export const sessionEvent = {
  ...orgEvent,
  sessionId: about(z.string(), "the session: the same in all events of a call or chat"),
  agentId: about(z.string().nullable(), "the agent; null without one, as in manual calls"),
  identifier: about(
    z.string().nullable(),
    "who the other side is, as given when the call or chat was begun; null when that is not known",
  ),
};

/** Fields from a single read of the session's row; all null when that read failed. */
const sessionRow = {
  direction: about(
    z.enum(["inbound", "outbound", "web", "whatsapp", "instagram"]).nullable(),
    "who called whom; null together with the next four when the session could not be read",
    DIRECTIONS,
  ),
  channel: about(
    z.enum(["telephony", "softphone", "web_chat", "chat", "whatsapp", "instagram", "simulation"]).nullable(),
    "over what",
    CHANNELS,
  ),
  callSid: about(
    z.string().nullable(),
    "the carrier's id of the leg; null where no carrier is involved. Never null on `softphone`: the session's id stands in for a leg that the carrier refused",
  ),
  fromNumber: about(
    z.string().nullable(),
    "who calls, whatever the direction; null where there are no numbers",
  ),
  toNumber: about(z.string().nullable(), "who is called"),
};

export const callEvent = {
  ...sessionEvent,
  ...sessionRow,
  userId: about(
    z.string(),
    "the user, or the owner of the API key, who is billed; never the person on the phone",
  ),
  variables: about(
    z.record(z.string(), z.string()),
    "what the agent's texts are filled with: eleven of date and time, those of the call, and `identifier` if it was " +
      "given. Not redacted",
  ),
  startTime: about(timestamp, "when it began, RFC 3339 with 0 to 9 fractional digits; parse it"),
};
export const machineEvent = { ...sessionEvent, ...sessionRow };
export { timestamp };

/** Example values for samples. */
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
