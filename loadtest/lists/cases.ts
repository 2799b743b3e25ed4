import { callsQuerySchema } from "@parley/shared/contracts/calls.ts";
import { recordingsQuerySchema } from "@parley/shared/contracts/recordings.ts";
import { FIRST_CALL_AT, RARE_AGENT, wordOf } from "./fill-calls.ts";

const DAY_MS = 86_400_000;
const OLD_DAY = {
  from: new Date(FIRST_CALL_AT.getTime() + 30 * DAY_MS).toISOString(),
  to: new Date(FIRST_CALL_AT.getTime() + 31 * DAY_MS).toISOString(),
};
/** Said in about one call of a hundred. */
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
};

const RECORDINGS = {
  "no filter": {},
  "an old day": OLD_DAY,
  agent: { agentId: "agt_3" },
  "agent of old calls only": { agentId: RARE_AGENT },
  "agent without calls": { agentId: "agt_none" },
  "a call": { call: "cal_none" },
};

/** What pages and programs ask for, each as the API reads it. */
export const CALL_LISTS = Object.entries(CALLS).map(
  ([name, query]) => [name, callsQuerySchema.parse(query)] as const,
);
export const RECORDING_LISTS = Object.entries(RECORDINGS).map(
  ([name, query]) => [name, recordingsQuerySchema.parse(query)] as const,
);
