import { callsQuerySchema } from "@parley/shared/contracts/calls.ts";
import { recordingsQuerySchema } from "@parley/shared/contracts/recordings.ts";
import { FIRST_CALL_AT, OLD_TOPIC, RARE_AGENT, wordOf } from "./fill-calls.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OLD_DAY = {
  from: new Date(FIRST_CALL_AT.getTime() + 30 * DAY_MS).toISOString(),
  to: new Date(FIRST_CALL_AT.getTime() + 31 * DAY_MS).toISOString(),
};
/** A word said in about one call in a hundred. */
const UNCOMMON = 1_500;

const CALLS = {
  "no filter": {},
  "text in most calls": { text: wordOf(0) },
  "text in few calls": { text: wordOf(UNCOMMON) },
  "text of one old call": { text: "order 4711" },
  "text nobody said": { text: "zebra crossing" },
  "text nobody said to an agent": { text: "zebra crossing", agentId: "agt_3" },
  "number, whole": { number: "+12025557919" },
  "number, part of one": { number: "555791" },
  "number, part of most": { number: "+1202" },
  "number nobody has": { number: "999999999" },
  "an old day": OLD_DAY,
  "until an old day": { to: OLD_DAY.to },
  "an old day, of an agent": { ...OLD_DAY, agentId: "agt_3" },
  agent: { agentId: "agt_3" },
  "agent of old calls only": { agentId: RARE_AGENT },
  "agent without calls": { agentId: "agt_none" },
  status: { status: "completed" },
  "status without calls": { status: "busy" },
  direction: { direction: "web" },
  "direction without calls": { direction: "outbound" },
  channel: { channel: "phone" },
  "channel without calls": { channel: "chat" },
  user: { userId: "usr_7" },
  "user without calls": { userId: "usr_none" },
  "under way": { live: "true" },
  "a session": { sessionId: "ses_none" },
  "ended as most": { endReason: "hangup" },
  "ended as none": { endReason: "inactivity" },
  mood: { sentiment: "negative" },
  "mood, on an old day, of an agent": { ...OLD_DAY, sentiment: "negative", agentId: "agt_3" },
  "mood, of an agent without calls": { sentiment: "negative", agentId: "agt_none" },
  disposition: { disposition: "outcome 7" },
  "topic of old calls only": { topic: OLD_TOPIC },
  "mood and topic": { sentiment: "positive", topic: "topic 12" },
  "mood and words said": { sentiment: "positive", text: wordOf(UNCOMMON) },
  "tool, until an old day": { tool: "tool 3", to: OLD_DAY.to },
  "tool that never failed": { failedTool: "tool 3" },
};

const RECORDINGS = {
  "no filter": {},
  "an old day": OLD_DAY,
  agent: { agentId: "agt_3" },
  "agent of old calls only": { agentId: RARE_AGENT },
  "agent without calls": { agentId: "agt_none" },
  "a call": { call: "cal_none" },
};

/** Queries that pages and programs send, as the API parses them. */
export const CALL_LISTS = Object.entries(CALLS).map(
  ([name, query]) => [name, callsQuerySchema.parse(query)] as const,
);
export const RECORDING_LISTS = Object.entries(RECORDINGS).map(
  ([name, query]) => [name, recordingsQuerySchema.parse(query)] as const,
);

/** Periods of the pages with figures, ending at `until`; a day starts in the reader's own zone. */
export function periodsUntil(until: Date) {
  const span = (days: number, hours: number) => ({
    from: new Date(until.getTime() - days * DAY_MS + hours * HOUR_MS),
    to: until,
    stepSecs: 86_400,
  });
  return Object.entries({
    "1 day, hour by hour": { ...span(1, 0), stepSecs: 3_600 },
    "7 days, hour by hour": { ...span(7, -5), stepSecs: 3_600 },
    "30 days": span(30, 0),
    "90 days": span(90, 0),
    "90 days, in Kathmandu": span(90, -5.75),
    "90 days, of an agent": { ...span(90, -5), agentId: "agt_3" },
    "90 days, of a channel": { ...span(90, -5), channel: "telephony" },
    "90 days, of an agent and a channel": { ...span(90, 2), agentId: "agt_3", channel: "telephony" },
  });
}
