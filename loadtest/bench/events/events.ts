import { startChild } from "../../stack/child.ts";
import { canCapCpu, openCpuCap } from "../harness/cpu-cap.ts";
import { type CpuShares, inWords, measureCpu, sumOf } from "../harness/cpu-shares.ts";
import { type Bench, type Figure, spreadOf } from "../harness/figure.ts";
import { World } from "../webhooks/world.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const CORES = 2;
/**
 * Of a core, for each process where two are compared with one: on two whole ones Postgres and all others have a part, and one
 * process already keeps them busy. Two of this leave Postgres more than it needs.
 */
const CAPPED_CORES = 0.2;
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
type Contestant = "one" | "bare" | "capped" | "two";

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
        if (!canCapCpu()) continue;
        await withCaps([world.apiPid], say, (pids) => measure("capped", (n) => ours(world, n, pids)));
        const another = await world.startAnother(OTHERS_CPU);
        // Both have planned, compiled and connected.
        await warmUp(world);
        const both = [world.apiPid, another.pid];
        await withCaps(both, say, (pids) => measure("two", (n) => ours(world, n, pids)));
        await another.stop();
      }
      return ([1, 20] as const).flatMap((endpoints) => figures(endpoints, paces[endpoints]));
    } finally {
      await world.close();
    }
  },
};

/** Bounds each process on its own meanwhile, and tells whether that is what bounded them. */
async function withCaps(
  pids: readonly number[],
  say: (line: string) => void,
  work: (pids: readonly number[]) => Promise<void>,
): Promise<void> {
  const caps = pids.map((pid) => {
    const cap = openCpuCap(CAPPED_CORES);
    cap.add(pid);
    return cap;
  });
  try {
    await work(pids);
    const shares = caps.map((cap) => `${Math.round(100 * cap.throttledShare())} %`);
    say(`held to ${CAPPED_CORES} cores each, and kept waiting in ${shares.join(" and ")} of the periods`);
  } finally {
    for (const cap of caps) cap.remove();
  }
}

type Paces = Record<Contestant, Pace[]>;

function emptyPaces(): Record<Endpoints, Paces> {
  const empty = (): Paces => ({ one: [], bare: [], capped: [], two: [] });
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
  // Nobody connects to these calls: the sweeper would end them in a later measurement, with an event for each endpoint.
  await world.query("update calls set status = 'completed', ended_at = now() where ended_at is null");
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

function figures(endpoints: Endpoints, paces: Paces): Figure[] {
  const { one, bare } = paces;
  const title = endpoints === 1 ? "events to one endpoint" : `events to each of ${endpoints} endpoints`;
  const min = endpoints === 1 ? MIN_ONE : MIN_TWENTY;
  const rate = spreadOf(one.map(({ perSec }) => perSec));
  const limit = (of: (pace: Pace) => number) => ({
    name: "inserted into one table and posted",
    value: spreadOf(bare.map(of)),
  });
  return [
    {
      id: `events.rate-${endpoints}`,
      title,
      unit: "a second",
      better: "higher",
      ours: rate,
      limit: limit(({ perSec }) => perSec),
      target: { text: `at least ${min} a second`, holds: rate.median >= min },
    },
    {
      id: `events.cpu-${endpoints}`,
      title: `${title}: CPU of each, all processes`,
      unit: "µs",
      better: "lower",
      ours: spreadOf(one.map(({ cpu }) => sumOf(cpu))),
      limit: limit(({ cpu }) => sumOf(cpu)),
    },
    {
      id: `events.allowed-${endpoints}`,
      title: `${title}: what ${CORES} cores allow by that CPU`,
      unit: "a second",
      better: "higher",
      ours: spreadOf(one.map(allowed)),
      limit: limit(allowed),
    },
    ...twoOf(endpoints, title, paces),
  ];
}

/** None where processes cannot be bounded. */
function twoOf(endpoints: Endpoints, title: string, { capped, two }: Paces): Figure[] {
  if (two.length === 0) return [];
  const gain = spreadOf(two.map(({ perSec }, i) => perSec / (capped[i]?.perSec ?? Number.NaN)));
  return [
    {
      id: `events.two-${endpoints}`,
      title: `${title}, two processes held to ${CAPPED_CORES} cores each`,
      unit: "a second",
      better: "higher",
      ours: spreadOf(two.map(({ perSec }) => perSec)),
      peer: { name: "one process, held to as much", value: spreadOf(capped.map(({ perSec }) => perSec)) },
      target: { text: `at least ${MIN_GAIN} × one`, holds: gain.median >= MIN_GAIN },
    },
  ];
}

/** Events a second if all cores did nothing else and were never idle. */
function allowed({ cpu }: Pace): number {
  return (CORES * 1_000_000) / sumOf(cpu);
}
