import type { Bus } from "@parley/shared/bus/bus.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { serve } from "@parley/shared/bus/request-reply.ts";
import { commandChannel } from "@parley/shared/contracts/call-commands.ts";
import { CALL_EVENTS_STREAM } from "@parley/shared/contracts/call-events.ts";
import { liveCallKey } from "@parley/shared/contracts/call-plan.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../../../testkit/needs.ts";
import { createOrganization } from "../../../../testkit/organization.ts";
import { createTestDatabase } from "../../../../testkit/postgres.ts";
import { type Database, openDatabase } from "../../../database/open.ts";
import { findLeg, type PhoneLeg } from "../leg-store.ts";
import { MachineWatch } from "./machine-watch.ts";

const CALLS = 60;
const SCREENS = "If you record your name and reason for calling, I will see if this person is available.";
const GREETING = "You have reached the voice mail of Ada. Please leave a message after the beep.";
const log = createLogger({ level: "silent", format: "json", name: "test" });

/** Two control APIs, each with connections of its own, that are told of the same calls. */
describe.runIf(needs("postgres"))("two processes that look for a machine in one call", () => {
  let drop: () => Promise<void>;
  let databases: readonly [Database, Database];
  let agent: { orgId: string; userId: string; agentId: string };
  let bus: Bus;
  let watches: readonly [MachineWatch, MachineWatch];
  beforeAll(async () => {
    const postgres = await createTestDatabase();
    drop = postgres.drop;
    databases = [
      await openDatabase({ databaseUrl: postgres.url }),
      await openDatabase({ databaseUrl: postgres.url }),
    ];
    const message = "Please call us back.";
    agent = await createOrganization(databases[0], { voicemail: { action: "message", message } });
    const clock = new ManualClock();
    bus = createMemoryBus({ clock });
    const newWatch = (database: Database): MachineWatch =>
      new MachineWatch({ bus, database, clock, log, endLeg: async () => undefined });
    watches = [newWatch(databases[0]), newWatch(databases[1])];
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await drop();
  });

  async function newCalls(): Promise<PhoneLeg[]> {
    const sessions = Array.from({ length: CALLS }, () => newId("ses"));
    await databases[0].db
      .insertInto("calls")
      .values(
        sessions.map((sessionId) => ({
          id: newId("cal"),
          session_id: sessionId,
          org_id: agent.orgId,
          user_id: agent.userId,
          agent_id: agent.agentId,
          node_id: "nod_1",
          variables: "{}",
          channel: "telephony",
          direction: "outbound",
          carrier: "loopback",
          call_sid: sessionId,
          machine_detection: "true",
          created_at: new Date(),
        })),
      )
      .execute();
    for (const sessionId of sessions) {
      await serve(bus.channels, commandChannel(sessionId), async () => JSON.stringify({ ok: true }));
      await bus.keys.set(liveCallKey(sessionId), "nod_1", 600_000);
    }
    const legs = await Promise.all(sessions.map((sessionId) => findLeg(databases[0], sessionId)));
    return legs.flatMap((leg) => leg ?? []);
  }

  /** Which machines were told of, by session. */
  async function toldOf(): Promise<Map<string, string[]>> {
    const about = { group: "test", consumer: "one", count: 1_000, blockMs: 1, claimAfterMs: 60_000 };
    const told = new Map<string, string[]>();
    for (const { payload } of await bus.streams.read(CALL_EVENTS_STREAM, about)) {
      const { sessionId, action } = JSON.parse(payload) as { sessionId: string; action: string };
      told.set(sessionId, [...(told.get(sessionId) ?? []), action]);
    }
    return told;
  }

  it("tells of each machine once, whoever was told of it first", async () => {
    const [one, other] = watches;
    const legs = await newCalls();
    const at = new Date().toISOString();
    await Promise.all(
      legs.flatMap((leg, index) => {
        const text = index % 2 === 0 ? SCREENS : GREETING;
        const words = [other, one].map((watch) => watch.onHeard(leg, { text, at }));
        const verdicts = [one.onVerdict(leg, "human"), other.onVerdict(leg, "machine_start")];
        const beep = index % 2 === 0 ? [] : [one.onVerdict(leg, "machine_end_beep")];
        return [...words, ...verdicts, ...beep];
      }),
    );
    const told = await toldOf();
    expect(legs.map(({ sessionId }) => told.get(sessionId))).toEqual(
      legs.map((_, index) => [index % 2 === 0 ? "call_screen" : "voicemail_drop"]),
    );
  });
});
