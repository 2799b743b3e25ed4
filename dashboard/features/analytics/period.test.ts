import type { CallAnalytics, CallOutcomes } from "@parley/shared/contracts/analytics.ts";
import { expect, test } from "vitest";
import { chosenIn, csvOf, dayText, periodOf } from "./period.ts";

test("a period begins at the reader's midnight, and today is one of its days", () => {
  const now = new Date(2026, 2, 10, 15, 30);
  expect(periodOf(7, now)).toEqual({ from: new Date(2026, 2, 4), to: now, step: "day" });
  expect(periodOf(1, now)).toEqual({ from: new Date(2026, 2, 10), to: now, step: "hour" });
  expect(dayText(new Date(2026, 2, 4))).toBe("2026-03-04");
});

test("an address that names no period has the usual one", () => {
  expect(chosenIn(new URLSearchParams("days=12&agentId=agt_1"))).toEqual({
    days: 7,
    agentId: "agt_1",
    channel: "",
  });
});

test("figures as CSV: names are quoted, and none is a formula where the file is opened", () => {
  const figures = {
    calls: 3,
    answered: 2,
    failed: 1,
    talkSecs: 65,
    responseP50Ms: null,
    responseP95Ms: 900,
  };
  const analytics: CallAnalytics = {
    from: "2026-03-04T00:00:00.000Z",
    to: "2026-03-05T00:00:00.000Z",
    totals: figures,
    points: [{ at: "2026-03-04T00:00:00.000Z", ...figures }],
    agents: [{ agentId: "agt_1", name: '=cmd "x"', ...figures }],
    channels: [{ channel: "telephony", ...figures }],
  };
  const outcomes: CallOutcomes = {
    from: analytics.from,
    to: analytics.to,
    endReasons: [{ value: "hangup", times: 3 }],
    interruptions: 0,
    tools: [{ name: "find", calls: 2, failed: 1 }],
    sentiments: [],
    dispositions: [{ value: "+1", times: 1 }],
    topics: [],
    qa: [],
  };
  expect(csvOf(analytics, outcomes).split("\r\n")).toEqual([
    "kind,name,calls,answered,failed,talkSecs,responseP50Ms,responseP95Ms",
    'time,"2026-03-04T00:00:00.000Z",3,2,1,65,,900',
    'agent,"\'=cmd ""x""",3,2,1,65,,900',
    'channel,"telephony",3,2,1,65,,900',
    'end_reason,"hangup",3,,,,,',
    'disposition,"\'+1",1,,,,,',
    'tool,"find",2,,,,,',
    'tool_failed,"find",1,,,,,',
    "",
  ]);
});
