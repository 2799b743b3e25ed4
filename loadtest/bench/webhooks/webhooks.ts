import { startChild } from "../../stack/child.ts";
import { type CpuCap, canCapCpu, openCpuCap } from "../harness/cpu-cap.ts";
import { type CpuShares, inWords, measureCpu } from "../harness/cpu-shares.ts";
import { type Bench, type Figure, type Spread, spreadOf } from "../harness/figure.ts";
import { pause } from "../harness/pause.ts";
import { interleaved } from "../harness/rounds.ts";
import { BODY, World } from "./world.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const ROUNDS = 3;
const ENDPOINTS = 20;
const DELIVERIES = 20_000;
/**
 * The promise is about a process that has run for some seconds: V8 keeps compiling until about 20,000 were
 * sent.
 */
const WARM_UPS = 2;
/** Concurrent posts, as many as the deliverer makes. */
const SIDE_BY_SIDE = 64;
const MIN_OF_LIMIT = 0.5;
/** Of a core, for the process that posts: little enough that neither Postgres nor the receiver, which are not held, bound it. */
const CAPPED_CORES = 0.2;
const PRESSES = 100;
const PRESS_EVERY_MS = 40;
const MAX_P50_MS = 50;
const MAX_SLOWDOWN = 1.5;

/**
 * Deliveries per second compared with bare posts, how soon an event arrives, and what a hanging receiver
 * costs the others.
 */
export const webhooks: Bench = {
  name: "webhooks",
  title: `Webhooks to ${ENDPOINTS} endpoints, one process with Postgres`,
  needsPostgres: true,
  run: async (say) => {
    const world = await World.start({ cpu: CPU, othersCpu: OTHERS_CPU });
    try {
      const compared = await compare(world, say);
      const capped = canCapCpu() ? await compareCapped(world, say) : undefined;
      const p50s: number[] = [];
      const delays = await interleaved(ROUNDS, {
        hanging: async () => (await press(world, { hanging: 1 })).p99Ms,
        healthy: async (round) => {
          const { p50Ms, p99Ms } = await press(world, { hanging: 0 });
          p50s.push(p50Ms);
          say(
            `round ${round + 1}, raised to received: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
          );
          return p99Ms;
        },
      });
      return figures({ ...compared, capped, delays, p50: spreadOf(p50s) });
    } finally {
      await world.close();
    }
  },
};

const hooks = (kind: string, count: number) => Array.from({ length: count }, (_, i) => `/${kind}/${i}`);

/** Posts per second, and the posting process's CPU time in µs per post. */
interface Pace {
  readonly perSec: number;
  readonly cpuUs: number;
  /** CPU time of all processes, by process. */
  readonly cpu?: CpuShares;
}

/** Measures Parley and bare posts in turn. */
async function compare(world: World, say: (line: string) => void) {
  for (let i = 1; i <= WARM_UPS; i++) {
    await drain(world);
    say(`warm, ${i} of ${WARM_UPS}`);
  }
  const costs = { ours: [] as number[], limit: [] as number[], withPostgres: [] as number[] };
  const contestant = (who: "ours" | "limit", post: (world: World) => Promise<Pace>) => async () => {
    const { perSec, cpuUs, cpu } = await post(world);
    costs[who].push(cpuUs);
    if (cpu) costs.withPostgres.push(cpuUs + (cpu.Postgres ?? Number.NaN));
    say(`${who}: ${perSec.toFixed(0)}/s, CPU of each: ${cpu ? inWords(cpu) : `${cpuUs.toFixed(0)} µs`}`);
    return perSec;
  };
  const rates = await interleaved(ROUNDS, {
    ours: contestant("ours", drain),
    limit: contestant("limit", (world) => postBare(world)),
  });
  const { ours, limit, withPostgres } = costs;
  return {
    rates,
    costs: { ours: spreadOf(ours), limit: spreadOf(limit), withPostgres: spreadOf(withPostgres) },
  };
}

/** The same with each posting process held to a part of a core, so that neither the number of cores nor others count. */
async function compareCapped(world: World, say: (line: string) => void) {
  const held = (who: string, post: (cap: CpuCap) => Promise<Pace>) => async () => {
    const cap = openCpuCap(CAPPED_CORES);
    try {
      const { perSec } = await post(cap);
      const waited = Math.round(100 * cap.throttledShare());
      say(`${who}, held to ${CAPPED_CORES} cores: ${perSec.toFixed(0)}/s, waited in ${waited} % of periods`);
      return perSec;
    } finally {
      cap.remove();
    }
  };
  return interleaved(ROUNDS, {
    ours: held("ours", (cap) => {
      cap.add(world.apiPid);
      return drain(world);
    }),
    limit: held("limit", (cap) => postBare(world, cap)),
  });
}

/** Drains a full queue, from the first to the last delivery. */
async function drain(world: World): Promise<Pace> {
  const ids = await world.register(hooks("hook", ENDPOINTS));
  await world.reset();
  await world.fill(ids, DELIVERIES);
  const cpuOf = await measureCpu(() => world.pids());
  const { tookMs } = await world.seen(DELIVERIES);
  const cpu = await cpuOf(DELIVERIES);
  await world.remove(ids);
  return { perSec: (DELIVERIES * 1_000) / tookMs, cpuUs: cpu.process ?? Number.NaN, cpu };
}

async function postBare({ receiverUrl }: World, cap?: CpuCap): Promise<Pace> {
  const args = [`${receiverUrl}/hook/0`, String(DELIVERIES), String(SIDE_BY_SIDE), BODY];
  const command = [process.execPath, "loadtest/bench/webhooks/bare-process.ts", ...args] as const;
  const child = await startChild({
    command: cap?.command([...command]) ?? command,
    cpu: CPU,
    ready: /posted (\S+) a second for (\S+) µs each/,
  });
  await child.stop();
  return { perSec: Number(child.ready[0]), cpuUs: Number(child.ready[1]) };
}

/** Presses keys in a call; `hanging` endpoints never answer, and only the others count. */
async function press(world: World, { hanging }: { hanging: number }) {
  const healthy = ENDPOINTS - hanging;
  const ids = await world.register([...hooks("hook", healthy), ...hooks("hang", hanging)]);
  const pressKey = await world.call();
  await world.reset();
  for (let i = 0; i < PRESSES; i++) {
    await pressKey();
    await pause(PRESS_EVERY_MS);
  }
  const seen = await world.seen(PRESSES * healthy);
  await world.remove(ids);
  return seen;
}

interface Measured {
  readonly rates: Record<"ours" | "limit", Spread>;
  readonly costs: Record<"ours" | "limit" | "withPostgres", Spread>;
  /** Undefined where processes cannot be held. */
  readonly capped: Record<"ours" | "limit", Spread> | undefined;
  readonly delays: Record<"hanging" | "healthy", Spread>;
  readonly p50: Spread;
}

function rateOf(id: string, title: string, { ours, limit }: Record<"ours" | "limit", Spread>): Figure {
  return {
    id,
    title,
    unit: "a second",
    better: "higher",
    ours,
    limit: { name: "bare undici posts", value: limit },
    target: {
      text: `at least ${MIN_OF_LIMIT} of bare posts`,
      holds: ours.median >= MIN_OF_LIMIT * limit.median,
    },
  };
}

function figures({ rates, costs, capped, delays, p50 }: Measured): Figure[] {
  const held = `deliveries, the process held to ${CAPPED_CORES} cores`;
  return [
    rateOf("webhooks.rate", "deliveries", rates),
    ...(capped ? [rateOf("webhooks.rate-capped", held, capped)] : []),
    {
      id: "webhooks.cpu",
      title: "CPU of the process, each",
      unit: "µs",
      better: "lower",
      ours: costs.ours,
      limit: { name: "bare undici posts", value: costs.limit },
    },
    {
      id: "webhooks.cpu-postgres",
      title: "CPU of the process and Postgres, each",
      unit: "µs",
      better: "lower",
      ours: costs.withPostgres,
      limit: { name: "bare undici posts", value: costs.limit },
    },
    {
      id: "webhooks.delay",
      title: "raised to received, p50",
      unit: "ms",
      better: "lower",
      ours: p50,
      target: { text: `under ${MAX_P50_MS} ms`, holds: p50.median < MAX_P50_MS },
    },
    {
      id: "webhooks.hanging",
      title: `raised to received, p99, one of ${ENDPOINTS} receivers hanging`,
      unit: "ms",
      better: "lower",
      ours: delays.hanging,
      limit: { name: "none hanging", value: delays.healthy },
      target: {
        text: `within ${MAX_SLOWDOWN} times`,
        holds: delays.hanging.median <= MAX_SLOWDOWN * delays.healthy.median,
      },
    },
  ];
}
