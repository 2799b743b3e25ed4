import { startChild } from "../../stack/child.ts";
import { type CpuShares, inWords, measureCpu, sumOf } from "../harness/cpu-shares.ts";
import { type Bench, type Figure, spreadOf } from "../harness/figure.ts";
import { World } from "../webhooks/world.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const CORES = 2;
const ROUNDS = 3;
const CALLS = 50;
/** Events of a measurement, by the number of endpoints: for seconds, as CPU is counted in ticks of 10 ms. */
const EACH_CALL = { 1: 160, 20: 40 } as const;
const BARE_STREAM = "bench-events";
/** V8 and Postgres keep compiling and planning until some thousands were delivered. */
const WARM_UPS = 2;
const MIN_ONE = 4_000;
const MIN_TWENTY = 1_500;
const MIN_GAIN = 1.6;

type Endpoints = keyof typeof EACH_CALL;
type Contestant = "one" | "two" | "bare";

/** What a measurement found. */
interface Pace {
  readonly perSec: number;
  /** CPU of an event in µs, by process. */
  readonly cpu: CpuShares;
}

/**
 * Events per second the whole way: from the durable stream through the event projector, the feed, the subscription and
 * the deliverer to the receiver. Compared with a process that inserts each event into one table and posts it. The CPU of
 * an event says what the cores allow at most; it depends less on what else they do than the rate.
 */
export const events: Bench = {
  name: "events",
  title: `Events from the stream in Redis to a webhook's receiver, ${CALLS} calls`,
  needsPostgres: true,
  run: async (say) => {
    const world = await World.start({ cpu: CPU, othersCpu: OTHERS_CPU });
    try {
      await world.query("create table bench_events (like call_events including all)");
      const paces = emptyPaces();
      const measure = async (who: Contestant, go: (endpoints: Endpoints) => Promise<Pace>) => {
        for (const endpoints of [1, 20] as const) {
          const pace = await go(endpoints);
          paces[endpoints][who].push(pace);
          const rate = `${pace.perSec.toFixed(0)} events a second`;
          say(`${who}, ${endpoints} endpoints: ${rate}, CPU of each: ${inWords(pace.cpu)}`);
        }
      };
      await warmUp(world);
      for (let round = 1; round <= ROUNDS; round++) {
        await measure("one", (endpoints) => ours(world, endpoints, [world.apiPid]));
        await measure("bare", (endpoints) => bare(world, endpoints));
        const another = await world.startAnother(OTHERS_CPU);
        // Both have planned, compiled and connected.
        await warmUp(world);
        await measure("two", (endpoints) => ours(world, endpoints, [world.apiPid, another.pid]));
        await another.stop();
      }
      return ([1, 20] as const).flatMap((endpoints) => figures(endpoints, paces[endpoints]));
    } finally {
      await world.close();
    }
  },
};

type Paces = Record<Contestant, Pace[]>;

function emptyPaces(): Record<Endpoints, Paces> {
  const empty = (): Paces => ({ one: [], two: [], bare: [] });
  return { 1: empty(), 20: empty() };
}

async function warmUp(world: World): Promise<void> {
  for (let i = 0; i < WARM_UPS; i++)
    for (const endpoints of [1, 20] as const) await ours(world, endpoints, [world.apiPid]);
}

const hooks = (count: number) => Array.from({ length: count }, (_, i) => `/hook/${i}`);

/** From the first event in the stream to the last one at the last receiver. */
async function ours(world: World, endpoints: Endpoints, senders: readonly number[]): Promise<Pace> {
  const ids = await world.register(hooks(endpoints));
  const pace = await tellAll(world, endpoints, { senders });
  await world.remove(ids);
  return pace;
}

async function bare(world: World, endpoints: Endpoints): Promise<Pace> {
  const args = [world.redisUrl, world.databaseUrl, BARE_STREAM, world.receiverUrl, String(endpoints)];
  const child = await startChild({
    command: [process.execPath, "loadtest/bench/events/bare-process.ts", ...args],
    cpu: CPU,
    ready: /bare reader ready/,
  });
  const how = { senders: [child.pid], stream: BARE_STREAM };
  try {
    for (let i = 0; i < WARM_UPS; i++) await tellAll(world, endpoints, how);
    return await tellAll(world, endpoints, how);
  } finally {
    await child.stop();
  }
}

async function tellAll(
  world: World,
  endpoints: Endpoints,
  { senders, stream }: { readonly senders: readonly number[]; readonly stream?: string },
): Promise<Pace> {
  const events = await world.messages(CALLS, EACH_CALL[endpoints]);
  await world.reset();
  const cpuOf = await measureCpu(() => world.pids(senders));
  const startMs = performance.now();
  await world.tell(events, stream);
  await world.seen(events.length * endpoints);
  const tookMs = performance.now() - startMs;
  return { perSec: (events.length * 1_000) / tookMs, cpu: await cpuOf(events.length) };
}

function figures(endpoints: Endpoints, { one, two, bare }: Paces): Figure[] {
  const title = endpoints === 1 ? "events to one endpoint" : `events to each of ${endpoints} endpoints`;
  const min = endpoints === 1 ? MIN_ONE : MIN_TWENTY;
  const rate = spreadOf(one.map(({ perSec }) => perSec));
  const gain = spreadOf(two.map(({ perSec }, i) => perSec / (one[i]?.perSec ?? Number.NaN)));
  return [
    {
      id: `events.rate-${endpoints}`,
      title,
      unit: "a second",
      better: "higher",
      ours: rate,
      limit: {
        name: "inserted into one table and posted",
        value: spreadOf(bare.map(({ perSec }) => perSec)),
      },
      target: { text: `at least ${min} a second`, holds: rate.median >= min },
    },
    {
      id: `events.cpu-${endpoints}`,
      title: `${title}: CPU of each, all processes`,
      unit: "µs",
      better: "lower",
      ours: spreadOf(one.map(({ cpu }) => sumOf(cpu))),
      limit: {
        name: "inserted into one table and posted",
        value: spreadOf(bare.map(({ cpu }) => sumOf(cpu))),
      },
    },
    {
      id: `events.allowed-${endpoints}`,
      title: `${title}: what ${CORES} cores allow by that CPU`,
      unit: "a second",
      better: "higher",
      ours: spreadOf(one.map(allowed)),
      limit: { name: "inserted into one table and posted", value: spreadOf(bare.map(allowed)) },
    },
    {
      id: `events.two-${endpoints}`,
      title: `${title}, two processes`,
      unit: "a second",
      better: "higher",
      ours: spreadOf(two.map(({ perSec }) => perSec)),
      limit: { name: `what ${CORES} cores allow by their CPU`, value: spreadOf(two.map(allowed)) },
      peer: { name: "one process", value: rate },
      target: { text: `at least ${MIN_GAIN} × one`, holds: gain.median >= MIN_GAIN },
    },
  ];
}

/** Events a second if all cores did nothing else and were never idle. */
function allowed({ cpu }: Pace): number {
  return (CORES * 1_000_000) / sumOf(cpu);
}
