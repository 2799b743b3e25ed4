import { openDatabase } from "@parley/control-api/database/open.ts";
import { CALL_EVENTS_STREAM, encodeCallEvent } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { sql } from "kysely";
import { Fleet } from "../../callers/fleet.ts";
import { usageOf } from "../../stack/process-usage.ts";
import { type Stack, startStack } from "../../stack/stack.ts";
import { startApi } from "../api/control-api.ts";
import { hold, parley, SPREAD_MS } from "../call-cpu/contestants.ts";
import { type Bench, type Figure, type Spread, spreadOf } from "../harness/figure.ts";
import { interleaved } from "../harness/rounds.ts";
import { CALL_SECS, COUNTED_TURNS, charged, recordCalls, type World } from "./calls.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const LIVE_CALLS = 50;
const ROUNDS = 4;
const CALLS = 40;
const LIVE_ROUNDS = 2;
const REPORTED_CALLS = 500;
const MAX_SHARE = 0.01;
/** Beyond any event's position: a cursor there has nothing to follow. */
const BEYOND = "1000000000000";

/** The cost of counting and charging per call, in the process that holds it and in the one that records it. */
export const metering: Bench = {
  name: "metering",
  title: `Counting and charging calls of ${CALL_SECS} s, a gateway and a control API with Postgres`,
  needsPostgres: true,
  run: async (say) => {
    const stack = await startStack({ gatewayCpu: CPU, othersCpu: OTHERS_CPU });
    try {
      const live = await liveCalls(stack, say);
      const recorded = await recordedCalls(stack, say);
      return figures({ ...live, ...recorded });
    } finally {
      await stack.close();
    }
  },
};

/** CPU in µs of a call's minute in its gateway, and of its counting-only events, measured in turn. */
async function liveCalls(stack: Stack, say: (line: string) => void) {
  const fleet = await Fleet.start({ calls: LIVE_CALLS, cpu: OTHERS_CPU });
  const options = { calls: LIVE_CALLS, settleMs: 2_000, measureMs: SPREAD_MS };
  try {
    await report(stack);
    return await interleaved(LIVE_ROUNDS, {
      call: async () => (await hold(parley(stack), fleet, options)).cpuUsPerCallSec * CALL_SECS,
      reporting: async (round) => {
        const us = await report(stack);
        say(`round ${round + 1}: ${us.toFixed(0)} µs to tell what a call's model used`);
        return us;
      },
    });
  } finally {
    await fleet.close();
  }
}

/** Encodes events and puts them on the durable stream, as a gateway does. Returns µs of CPU per call. */
async function report({ bus }: Stack): Promise<number> {
  const [sessionId, orgId, at] = [newId("ses"), newId("org"), new Date().toISOString()];
  const before = process.cpuUsage();
  for (let call = 0; call < REPORTED_CALLS; call++)
    await Promise.all(
      COUNTED_TURNS.map((body, seq) =>
        bus.streams.append(
          CALL_EVENTS_STREAM,
          encodeCallEvent({ id: newId("evt"), sessionId, orgId, seq, at, ...body }),
        ),
      ),
    );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REPORTED_CALLS;
}

/** CPU in µs per call of a control API that records and charges calls, or only records them, in turn. */
async function recordedCalls(stack: Stack, say: (line: string) => void) {
  const api = await startApi(stack, CPU, { BILLING: "on" });
  const database = await openDatabase({ databaseUrl: api.databaseUrl });
  try {
    const agent = await database.db.selectFrom("agents").select("org_id").executeTakeFirstOrThrow();
    const world: World = { stack, api, database, orgId: agent.org_id };
    await writePrices(world);
    await record(world, true);
    const pair = await interleaved(ROUNDS, {
      counted: async (round) => {
        const us = await record(world, true);
        say(`round ${round + 1}: ${us.toFixed(0)} µs a call, counted and charged`);
        return us;
      },
      uncounted: () => record(world, false),
    });
    return { ...pair, share: spreadOf(differences(pair)) };
  } finally {
    await database.close();
    await api.close();
  }
}

/** The cost of counting in each round. */
function differences({ counted, uncounted }: Record<"counted" | "uncounted", Spread>): number[] {
  return counted.rounds.map((us, round) => us - (uncounted.rounds[round] ?? 0));
}

/** CPU of the control API per call, in µs. */
async function record(world: World, isCounted: boolean): Promise<number> {
  await moveCursor(world, isCounted);
  const before = usageOf(world.api.child.pid).cpuMs;
  const sessionIds = await recordCalls(world, CALLS);
  if (isCounted) await charged(world, sessionIds);
  return ((usageOf(world.api.child.pid).cpuMs - before) * 1_000) / CALLS;
}

/** Sets whether events from here on are counted. */
async function moveCursor({ database }: World, isCounted: boolean): Promise<void> {
  const head = sql<string>`coalesce((select max(position) from event_feed_head), 0)`;
  await database.db
    .updateTable("event_cursors")
    .set({ position: isCounted ? head : BEYOND })
    .where("name", "=", "usage")
    .execute();
}

async function writePrices({ database, orgId }: World): Promise<void> {
  const at = new Date(0).toISOString();
  const price = { org_id: "", vendor: "", per: 60n, micros: 10_000n, from_at: at, created_at: at };
  const metrics = ["call_seconds", "tts_characters", "llm_input_tokens", "llm_output_tokens"];
  await database.db
    .insertInto("prices")
    .values(metrics.map((metric) => ({ ...price, id: newId("prc"), metric })))
    .execute();
  await database.db
    .insertInto("billing_accounts")
    .values({
      org_id: orgId,
      plan: "postpaid",
      invoiced_to: "2020-01-01",
      suspended_at: null,
      created_at: at,
    })
    .onConflict((conflict) => conflict.column("org_id").doUpdateSet({ plan: "postpaid" }))
    .execute();
}

function figures(of: Record<"call" | "reporting" | "counted" | "uncounted" | "share", Spread>): Figure[] {
  const share = of.reporting.median / of.call.median;
  return [
    {
      id: "metering.live",
      title: "CPU of the gateway to tell what is counted, a call",
      unit: "µs",
      better: "lower",
      ours: of.reporting,
      limit: { name: "the call itself", value: of.call },
      target: { text: `under ${MAX_SHARE * 100} % of the call`, holds: share < MAX_SHARE },
    },
    {
      id: "metering.recorded",
      title: "CPU of the control API, a call, counted and charged",
      unit: "µs",
      better: "lower",
      ours: of.counted,
      limit: { name: "not counted", value: of.uncounted },
    },
    {
      id: "metering.counting",
      title: "of it for counting and charging",
      unit: "µs",
      better: "lower",
      ours: of.share,
      limit: { name: "the call in its gateway", value: of.call },
    },
  ];
}
