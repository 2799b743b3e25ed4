import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { serve } from "@parley/shared/bus/request-reply.ts";
import { type CallCommand, commandChannel } from "@parley/shared/contracts/call-commands.ts";
import { hushKey, liveCallKey } from "@parley/shared/contracts/call-plan.ts";
import { type Database, openDatabase } from "@parley/shared/database/open.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { createOrganization } from "../../../tests/support/organization.ts";
import { findLeg, type PhoneLeg } from "../leg-store.ts";
import { MachineWatch } from "./machine-watch.ts";
import { BEEP_WITHIN_MS, GRACE_MS } from "./verdict.ts";

const GREETING = "You have reached the voice mail of Ada. Please leave a message after the beep.";
const MESSAGE = "Please call us back.";
const log = createLogger({ level: "silent", format: "json", name: "test" });

let database: Database;
let agent: { orgId: string; userId: string; agentId: string };
beforeAll(async () => {
  database = await openDatabase({ snapshot: inject("databaseSnapshot") });
  agent = await createOrganization(database, { voicemail: { action: "message", message: MESSAGE } });
});
afterAll(() => database.close());

let clock: ManualClock;
let bus: ReturnType<typeof createMemoryBus>;
let sessionId: string;
/** What the call's gateway was asked for. */
let orders: CallCommand[];
beforeEach(async () => {
  clock = new ManualClock();
  bus = createMemoryBus({ clock });
  sessionId = newId("ses");
  orders = [];
  await database.db
    .insertInto("calls")
    .values({
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
      created_at: new Date(clock.wallMs()),
    })
    .execute();
});

/** The call's media is there. */
async function hold(): Promise<void> {
  await serve(bus.channels, commandChannel(sessionId), async (payload) => {
    orders.push(JSON.parse(payload) as CallCommand);
    return JSON.stringify({ ok: true });
  });
  await bus.keys.set(liveCallKey(sessionId), "nod_1", 600_000);
}

function newWatch(): MachineWatch {
  return new MachineWatch({ bus, database, clock, log, endLeg: async () => undefined });
}

async function leg(): Promise<PhoneLeg> {
  const found = await findLeg(database, sessionId);
  if (!found) throw new Error("the call is gone");
  return found;
}

async function said(watch: MachineWatch, text: string): Promise<void> {
  await watch.onHeard(await leg(), { text, at: new Date(0).toISOString() });
}

/** What falls due has been looked at: the embedded database does one thing after the other, and a step is three. */
async function stepsTaken(): Promise<void> {
  for (let i = 0; i < 10; i++) await database.ping();
}

const machineState = async () => (await leg()).machineState;
const agentMaySpeak = () => orders.some((order) => order.command === "hush" && order.ms === 0);
const message = () => orders.find((order) => order.command === "leave");

describe("the wait for a person after a carrier said machine", () => {
  it("is over when the carrier thinks better of it: a second suspicion has a window of its own", async () => {
    await hold();
    const watch = newWatch();
    await watch.onVerdict(await leg(), "machine_start");
    await watch.onVerdict(await leg(), "human");
    clock.advance(GRACE_MS - 1_000);
    await watch.onVerdict(await leg(), "machine_start");
    orders.length = 0;
    clock.advance(GRACE_MS - 1);
    await stepsTaken();
    expect([await machineState(), agentMaySpeak()]).toEqual(["suspected", false]);
    clock.advance(1);
    await expect.poll(machineState).toBe("settled");
    expect((await leg()).answeredBy).toBe("amd_unconfirmed");
  });

  it.each([
    ["this", (watch: MachineWatch) => watch],
    ["another", newWatch],
  ])("is over when %s process hears a greeting: the beep is waited for", async (_which, other) => {
    await hold();
    const watch = newWatch();
    await watch.onVerdict(await leg(), "machine_start");
    clock.advance(1_000);
    await said(other(watch), GREETING);
    expect(await machineState()).toBe("waiting");
    clock.advance(BEEP_WITHIN_MS - 1);
    await stepsTaken();
    expect([await machineState(), message()]).toEqual(["waiting", undefined]);
    clock.advance(1);
    await expect.poll(message).toMatchObject({ text: MESSAGE });
  });
});

describe("a verdict that is there before the call's media", () => {
  it("is left for its gateway, and taken back with the suspicion", async () => {
    const watch = newWatch();
    const verdict = watch.onVerdict(await leg(), "machine_start");
    await expect.poll(() => bus.keys.get(hushKey(sessionId))).toBe("20000");
    const person = watch.onVerdict({ ...(await leg()), machineState: "suspected" }, "human");
    await expect.poll(() => bus.keys.get(hushKey(sessionId))).toBeUndefined();
    await hold();
    clock.advance(100);
    await Promise.all([verdict, person]);
    expect(orders.at(-1)).toEqual({ command: "hush", ms: 0 });
  });
});
