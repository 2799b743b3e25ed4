import type { Bus } from "@parley/shared/bus/bus.ts";
import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import {
  CALL_EVENTS_STREAM,
  type CallEvent,
  type CallEventBody,
  encodeCallEvent,
} from "@parley/shared/contracts/call-events.ts";
import { endFor } from "@parley/shared/contracts/call-status.ts";
import { newId } from "@parley/shared/ids.ts";
import { IncreasingTime } from "@parley/shared/increasing-time.ts";
import { createLogger } from "@parley/shared/log.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { TestReceiver } from "../../testkit/receiver.ts";
import { Installation } from "./support/installation.ts";
import { sizeOf } from "./support/sizes.ts";
import { untilCaughtUp, untilWebhooksRaised } from "./support/until-caught-up.ts";

const MESSAGES = 6;
const SIDE_BY_SIDE = 20;
const SHARE_WITH_BOTH = 0.7;
const DRILL = { timeout: 300_000 };

interface Told {
  readonly sessionId: string;
  readonly messageCount: number;
  readonly transcript?: readonly { readonly text: string }[];
}

describe.runIf(needs("redis") && needs("postgres"))("Two control APIs that record the same calls", () => {
  let parley: Installation;
  beforeAll(async () => {
    parley = await Installation.start();
  });
  afterAll(() => parley.remove());

  it("tell all that was said when a call ends, also when one of them is killed", DRILL, async () => {
    const { calls, kills } = sizeOf("twoRecorders");
    const receiver = await TestReceiver.answering(200);
    onTestFinished(() => receiver.close());
    const servers = [await parley.startControlApi(), await parley.startControlApi()];
    await parley.startGateway();
    const registered = await parley.request("POST", `/api/orgs/${parley.orgId}/webhooks`, {
      url: receiver.url,
      events: ["call.ended"],
      includeTranscript: true,
    });
    expect(registered.status).toBe(201);
    const sessionIds: string[] = [];
    for (let i = 0; i < calls; i++) sessionIds.push((await parley.createSession()).sessionId);
    const log = createLogger({ level: "silent", format: "json", name: "drill" });
    const bus = await connectRedisBus({ url: parley.redis.url, log });
    onTestFinished(() => bus.close());
    for (let kill = 0; kill < kills; kill++) {
      const share = sessionIds.slice((kill * calls) / kills, ((kill + 1) * calls) / kills);
      // Most while both are there, the rest while one dies with some of it in hand.
      const most = Math.ceil(share.length * SHARE_WITH_BOTH);
      await happen(bus, share.slice(0, most));
      const happening = happen(bus, share.slice(most));
      const one = kill % 2;
      await servers[one]?.kill();
      servers[one] = await parley.startControlApi();
      await happening;
    }
    await untilCaughtUp(parley);
    await untilWebhooksRaised(parley);
    const told = await endsTold();
    expect(told.map(({ sessionId }) => sessionId).toSorted()).toEqual(sessionIds.toSorted());
    const short = told.filter(
      ({ sessionId, messageCount, transcript }) =>
        messageCount !== MESSAGES ||
        JSON.stringify(transcript?.map(({ text }) => text)) !== JSON.stringify(linesOf(sessionId)),
    );
    expect(short).toEqual([]);
  });

  /** Calls side by side, as their gateway would tell of them. */
  async function happen(bus: Bus, sessionIds: readonly string[]): Promise<void> {
    for (let at = 0; at < sessionIds.length; at += SIDE_BY_SIDE) {
      const crowd = sessionIds.slice(at, at + SIDE_BY_SIDE).map((sessionId) => eventsOf(sessionId));
      for (let seq = 0; seq < MESSAGES + 2; seq++)
        await Promise.all(
          crowd.map((events) =>
            bus.streams.append(CALL_EVENTS_STREAM, encodeCallEvent(events[seq] as CallEvent)),
          ),
        );
    }
  }

  function eventsOf(sessionId: string): CallEvent[] {
    const times = new IncreasingTime();
    const bodies: CallEventBody[] = [
      { type: "call.started", nodeId: "nod_1", audio: "pcm_s16le/16000" },
      ...linesOf(sessionId).map(
        (text, index) =>
          ({
            type: "call.message",
            turn: index,
            role: "user",
            text,
            interrupted: false,
            source: "text",
          }) as const,
      ),
      { type: "call.ended", ...endFor("in-progress", "hangup") },
    ];
    return bodies.map(
      (body, seq) =>
        ({
          id: newId("evt"),
          sessionId,
          orgId: parley.orgId,
          seq,
          at: times.next(Date.now()),
          ...body,
        }) as CallEvent,
    );
  }

  function linesOf(sessionId: string): string[] {
    return Array.from({ length: MESSAGES }, (_, i) => `${sessionId} says ${i}`);
  }

  async function endsTold(): Promise<Told[]> {
    const rows = await parley.database.db
      .selectFrom("webhook_deliveries")
      .select("body")
      .where("org_id", "=", parley.orgId)
      .where("event", "=", "call.ended")
      .execute();
    return rows.map(({ body }) => JSON.parse(body) as Told);
  }
});
