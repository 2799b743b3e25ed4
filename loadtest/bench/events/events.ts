import { startChild } from "../../stack/child.ts";
import { type Bench, type Figure, type Spread, spreadOf } from "../harness/figure.ts";
import { World } from "../webhooks/world.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const ROUNDS = 3;
const CALLS = 50;
/** Events of a measurement, by the number of endpoints: about as many deliveries each. */
const EACH_CALL = { 1: 80, 20: 20 } as const;
const BARE_STREAM = "bench-events";
/** V8 and Postgres keep compiling and planning until some thousands were delivered. */
const WARM_UPS = 2;
const MIN_ONE = 4_000;
const MIN_TWENTY = 1_500;
const MIN_GAIN = 1.6;

type Endpoints = keyof typeof EACH_CALL;
type Contestant = "one" | "two" | "bare";

/**
 * Events per second the whole way: from the durable stream through the event projector, the feed, the subscription and
 * the deliverer to the receiver. Compared with a process that inserts each event into one table and posts it.
 */
export const events: Bench = {
  name: "events",
  title: `Events from the stream in Redis to a webhook's receiver, ${CALLS} calls`,
  needsPostgres: true,
  run: async (say) => {
    const world = await World.start({ cpu: CPU, othersCpu: OTHERS_CPU });
    try {
      await world.query("create table bench_events (like call_events including all)");
      for (let i = 0; i < WARM_UPS; i++)
        for (const endpoints of [1, 20] as const) await ours(world, endpoints);
      const rates = emptyRates();
      for (let round = 1; round <= ROUNDS; round++) {
        const measure = async (
          who: Contestant,
          go: (world: World, endpoints: Endpoints) => Promise<number>,
        ) => {
          for (const endpoints of [1, 20] as const) {
            const perSec = await go(world, endpoints);
            rates[endpoints][who].push(perSec);
            say(`round ${round}, ${who}, ${endpoints} endpoints: ${perSec.toFixed(0)} events a second`);
          }
        };
        await measure("one", ours);
        await measure("bare", bare);
        const another = await world.startAnother(OTHERS_CPU);
        // Both have planned, compiled and connected.
        for (let i = 0; i < WARM_UPS; i++)
          for (const endpoints of [1, 20] as const) await ours(world, endpoints);
        await measure("two", ours);
        await another.stop();
      }
      return ([1, 20] as const).flatMap((endpoints) => figures(endpoints, rates[endpoints]));
    } finally {
      await world.close();
    }
  },
};

type Rates = Record<Contestant, number[]>;

function emptyRates(): Record<Endpoints, Rates> {
  const empty = (): Rates => ({ one: [], two: [], bare: [] });
  return { 1: empty(), 20: empty() };
}

const hooks = (count: number) => Array.from({ length: count }, (_, i) => `/hook/${i}`);

/** From the first event in the stream to the last one at the last receiver. */
async function ours(world: World, endpoints: Endpoints): Promise<number> {
  const ids = await world.register(hooks(endpoints));
  const perSec = await tellAll(world, endpoints);
  await world.remove(ids);
  return perSec;
}

async function bare(world: World, endpoints: Endpoints): Promise<number> {
  const args = [world.redisUrl, world.databaseUrl, BARE_STREAM, world.receiverUrl, String(endpoints)];
  const child = await startChild({
    command: [process.execPath, "loadtest/bench/events/bare-process.ts", ...args],
    cpu: CPU,
    ready: /bare reader ready/,
  });
  try {
    for (let i = 0; i < WARM_UPS; i++) await tellAll(world, endpoints, BARE_STREAM);
    return await tellAll(world, endpoints, BARE_STREAM);
  } finally {
    await child.stop();
  }
}

async function tellAll(world: World, endpoints: Endpoints, stream?: string): Promise<number> {
  const events = await world.messages(CALLS, EACH_CALL[endpoints]);
  await world.reset();
  const startMs = performance.now();
  await world.tell(events, stream);
  await world.seen(events.length * endpoints);
  return (events.length * 1_000) / (performance.now() - startMs);
}

function figures(endpoints: Endpoints, { one, two, bare }: Rates): Figure[] {
  const title = endpoints === 1 ? "events to one endpoint" : `events to each of ${endpoints} endpoints`;
  const min = endpoints === 1 ? MIN_ONE : MIN_TWENTY;
  const [ours, limit] = [spreadOf(one), spreadOf(bare)];
  const gain = spreadOf(two.map((rate, i) => rate / (one[i] ?? Number.NaN)));
  return [
    {
      id: `events.rate-${endpoints}`,
      title,
      unit: "a second",
      better: "higher",
      ours,
      limit: { name: "inserted into one table and posted", value: limit },
      target: { text: `at least ${min} a second`, holds: ours.median >= min },
    },
    {
      id: `events.two-${endpoints}`,
      title: `${title}, two processes`,
      unit: "a second",
      better: "higher",
      ours: spreadOf(two),
      limit: { name: "one process", value: ours },
      target: { text: `at least ${MIN_GAIN} × one`, holds: holds(gain) },
    },
  ];
}

function holds({ median }: Spread): boolean {
  return median >= MIN_GAIN;
}
