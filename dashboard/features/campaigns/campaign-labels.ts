import type { CampaignState, Outcome } from "@parley/shared/contracts/campaign-states.ts";
import type { CallingHours, Campaign, Target } from "@parley/shared/contracts/campaigns.ts";
import { statusText } from "../messaging/messaging-labels.ts";

export const STATUS_NAMES: Readonly<Record<CampaignState, string>> = {
  draft: "Draft",
  running: "Running",
  paused: "Paused",
  done: "Done",
  canceled: "Canceled",
};

export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  answered: "Answered",
  sent: "Sent",
  voicemail: "Voicemail",
  no_answer: "No answer",
  busy: "Busy",
  failed: "Failed",
  do_not_call: "Do not call",
  removed: "Left out",
};

/** How far the campaign is, in words. */
export function progressText({ targets }: Pick<Campaign, "targets">): string {
  if (targets.total === 0) return "No people yet";
  return `${targets.done} of ${targets.total} done`;
}

/** A share of a whole, in whole percents. */
export function percentText(part: number, whole: number): string {
  return whole === 0 ? "–" : `${Math.round((part / whole) * 100)}%`;
}

export function minutesText(secs: number): string {
  return `${Math.floor(secs / 60)}:${String(secs % 60).padStart(2, "0")}`;
}

const DAY_NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** Common choices of days; 0 is Sunday. */
export const NAMED_DAYS: Readonly<Record<string, string>> = {
  "1,2,3,4,5": "Monday to Friday",
  "1,2,3,4,5,6": "Monday to Saturday",
  "0,1,2,3,4,5,6": "every day",
};

export function hoursText({ days, from, to }: CallingHours): string {
  const sorted = days.toSorted((one, other) => one - other);
  const named = NAMED_DAYS[sorted.join(",")] ?? sorted.map((day) => DAY_NAMES[day]).join(", ");
  return `${named}, ${from} to ${to}`;
}

/** A target's state in words. */
export function targetText({ state, outcome }: Pick<Target, "state" | "outcome">): string {
  if (state === "calling") return "Being called";
  if (state === "done") return outcome === null ? "Done" : OUTCOME_NAMES[outcome];
  return outcome === null ? "Waiting" : `${OUTCOME_NAMES[outcome]}, again later`;
}

/** The state of somebody whom a campaign writes to: how far the message came. */
export function writtenText({ state, outcome, messageStatus }: Target): string {
  if (state === "waiting") return "Waiting";
  if (messageStatus === null) return outcome === null ? "Being sent" : OUTCOME_NAMES[outcome];
  return statusText(messageStatus);
}

/** CSV for spreadsheets; no value is taken for a formula. */
export function targetsCsv(targets: readonly Target[], kind: "calls" | "messages"): string {
  const variables = [...new Set(targets.flatMap((target) => Object.keys(target.variables)))];
  const own = kind === "calls" ? ["attempts", "session_id"] : ["message", "error"];
  const head = ["phone", "timezone", "state", "outcome", ...own, ...variables];
  const rows = targets.map((target) => [
    ...[target.phone, target.zone, target.state, target.outcome ?? ""],
    ...(kind === "calls"
      ? [String(target.attempts), target.sessionId ?? ""]
      : [target.messageStatus ?? "", target.error ?? ""]),
    ...variables.map((name) => target.variables[name] ?? ""),
  ]);
  return [head, ...rows].map((row) => row.map(cell).join(",")).join("\r\n");
}

const FORMULA = /^[=@\t\r]|^[+-](?!\d+$)/;

function cell(value: string): string {
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
