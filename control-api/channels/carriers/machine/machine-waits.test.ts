import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { serve } from "@parley/shared/bus/request-reply.ts";
import { type CallCommand, commandChannel } from "@parley/shared/contracts/call-commands.ts";
import { liveCallKey, muteKey } from "@parley/shared/contracts/call-plan.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lentEmbedded } from "../../../../testkit/lent-database.ts";
import { createOrganization } from "../../../../testkit/organization.ts";
import type { Database } from "../../../database/open.ts";
import { findLeg, type PhoneLeg } from "../leg-store.ts";
import { MachineWatch } from "./machine-watch.ts";
import { BEEP_WITHIN_MS, GRACE_MS, GREETING_PAUSE_MS } from "./verdict.ts";

const GREETING = "You have reached the voice mail of Ada. Please leave a message after the beep.";
const MESSAGE = "Please call us back.";
const log = createLogger({ level: "silent", format: "json", name: "test" });

let database: Database;
let agent: { orgId: string; userId: string; agentId: string };
beforeAll(async () => {
  database = await lentEmbedded();
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
  quietMs = undefined;
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

/** How long the far end has been quiet; undefined before its first voice. */
let quietMs: number | undefined;

/** The call's media is there. */
async function hold(): Promise<void> {
  await serve(bus.channels, commandChannel(sessionId), async (payload) => {
    const order = JSON.parse(payload) as CallCommand;
    if (order.command === "voice") return JSON.stringify({ ok: true, quietMs });
    orders.push(order);
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
const agentMaySpeak = () => orders.some((order) => order.command === "mute" && order.ms === 0);
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
    await expect.poll(machineState).toBe("talking");
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

describe("a greeting whose words come late", () => {
  /** The far end has been talking for so long, and the recognizer has given nothing of it yet. */
  async function talksFor(watch: MachineWatch, ms: number): Promise<void> {
    await hold();
    await watch.onVerdict(await leg(), "machine_start");
    quietMs = 0;
    for (let passed = 0; passed < ms; passed += GRACE_MS) {
      orders.length = 0;
      clock.advance(GRACE_MS);
      await expect.poll(() => orders).toEqual([{ command: "mute", ms: 20_000 }]);
    }
    expect(await machineState()).toBe("suspected");
  }

  it("keeps the agent quiet while it is heard, and its words still make it a machine", async () => {
    const watch = newWatch();
    await talksFor(watch, 3 * GRACE_MS);
    await said(watch, "Hello.");
    expect([await machineState(), agentMaySpeak()]).toEqual(["suspected", false]);
    quietMs = 400;
    await said(watch, GREETING);
    expect(await machineState()).toBe("waiting");
    await watch.onVerdict(await leg(), "machine_end_beep");
    await expect.poll(message).toMatchObject({ text: MESSAGE });
    expect(agentMaySpeak()).toBe(false);
  });

  it("is a machine by its beep, although no word of it was understood", async () => {
    const watch = newWatch();
    await talksFor(watch, GRACE_MS);
    await watch.onVerdict(await leg(), "machine_end_beep");
    await expect.poll(message).toMatchObject({ text: MESSAGE });
    expect((await leg()).answeredBy).toBe("machine_end_beep");
  });

  it("leaves it unconfirmed after as much silence as without it, and no sooner", async () => {
    const watch = newWatch();
    await talksFor(watch, GRACE_MS);
    quietMs = GRACE_MS - 1_000;
    clock.advance(GRACE_MS);
    await stepsTaken();
    expect([await machineState(), agentMaySpeak()]).toEqual(["suspected", false]);
    quietMs = GRACE_MS;
    clock.advance(1_000);
    await expect.poll(machineState).toBe("talking");
    expect((await leg()).answeredBy).toBe("amd_unconfirmed");
  });

  it("and that comes after the silence is a machine all the same", async () => {
    await hold();
    const watch = newWatch();
    await watch.onVerdict(await leg(), "machine_start");
    clock.advance(GRACE_MS);
    await expect.poll(machineState).toBe("talking");
    await said(watch, GREETING);
    await watch.onVerdict(await leg(), "machine_end_beep");
    await expect.poll(message).toMatchObject({ text: MESSAGE });
  });

  it("is not talked over by the message", async () => {
    await hold();
    const watch = newWatch();
    await watch.onVerdict(await leg(), "machine_start");
    await said(watch, GREETING);
    quietMs = 0;
    clock.advance(BEEP_WITHIN_MS);
    await stepsTaken();
    expect([await machineState(), message()]).toEqual(["waiting", undefined]);
    quietMs = GREETING_PAUSE_MS;
    clock.advance(GREETING_PAUSE_MS);
    await expect.poll(message).toMatchObject({ text: MESSAGE });
  });
});

describe("words that are recorded before the start of their call", () => {
  it("are looked at", async () => {
    await hold();
    const late = { text: GREETING, at: new Date(clock.wallMs() + 3_600_000).toISOString() };
    await newWatch().onHeard({ ...(await leg()), startedAt: null }, late);
    expect(await machineState()).toBe("waiting");
  });
});

describe("a verdict that is there before the call's media", () => {
  it("is left for its gateway, and taken back with the suspicion", async () => {
    const watch = newWatch();
    const verdict = watch.onVerdict(await leg(), "machine_start");
    await expect.poll(() => bus.keys.get(muteKey(sessionId))).toBe("20000");
    const person = watch.onVerdict({ ...(await leg()), machineState: "suspected" }, "human");
    await expect.poll(() => bus.keys.get(muteKey(sessionId))).toBeUndefined();
    await hold();
    clock.advance(100);
    await Promise.all([verdict, person]);
    expect(orders.at(-1)).toEqual({ command: "mute", ms: 0 });
  });
});
