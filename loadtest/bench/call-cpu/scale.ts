import { Fleet } from "../../callers/fleet.ts";
import { DEFAULT_SCRIPT } from "../../callers/script.ts";
import { usageOf } from "../../stack/process-usage.ts";
import { type Stack, startStack } from "../../stack/stack.ts";
import { type Bench, type Figure, type Spread, spreadOf } from "../harness/figure.ts";
import { pause } from "../harness/pause.ts";
import { hold, type Measured, parley, SPREAD_MS, WITHOUT_FRONT_END } from "./contestants.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const SIZES = [10, 100, 300, 1_000] as const;
const ROUNDS = 2;
const MEASURE_MS = 6_000;
const WARM_UP = { calls: 50, settleMs: 0, measureMs: 15_000 };
/** Memory growth between these two sizes excludes a gateway's base memory. */
const IDLE_CALLS = { some: 200, many: 1_000 } as const;
const IDLE_SETTLE_MS = 5_000;
const MAX_IDLE_KB = 150;
const MIN_ON_TIME = 0.999;
/** Upper bound of a call's cost at a thousand calls, relative to a hundred. */
const MAX_GROWTH = 1.2;

/** How the cost of a call changes with their number, up to a thousand on one core. */
export const scale: Bench = {
  name: "scale",
  title: "Ten, a hundred, a thousand calls on one pinned core",
  run: async (say) => {
    const stack = await startStack({
      gatewayCpu: CPU,
      othersCpu: OTHERS_CPU,
      gatewayEnv: WITHOUT_FRONT_END,
    });
    const fleet = await Fleet.start({ calls: Math.max(...SIZES), cpu: OTHERS_CPU });
    const measured = new Map<number, Measured[]>(SIZES.map((calls) => [calls, []]));
    let idle: Figure;
    try {
      idle = await idleMemory(stack, fleet);
      say(`an idle call takes ${idle.ours.median.toFixed(0)} KB`);
      await hold(parley(stack), fleet, WARM_UP);
      for (let round = 0; round < ROUNDS; round++) {
        for (const calls of SIZES) {
          const options = { calls, settleMs: SPREAD_MS, measureMs: MEASURE_MS };
          const one = await hold(parley(stack), fleet, options);
          measured.get(calls)?.push(one);
          say(`round ${round + 1}, ${calls} calls: ${one.cpuUsPerCallSec.toFixed(0)} µs a call-second,`);
          say(`  ${one.core.toFixed(2)} of a core, ${(one.onTime * 100).toFixed(2)} % of frames in time`);
        }
      }
    } finally {
      await fleet.close();
      await stack.close();
    }
    return [...SIZES.flatMap((calls) => figuresOf(calls, measured)), idle];
  },
};

/** Resident memory of an open, recorded, silent call. */
async function idleMemory(stack: Stack, fleet: Fleet): Promise<Figure> {
  const contestant = parley(stack);
  const idleCalls = async (count: number): Promise<number> => {
    for (let i = 0; i < count; i++) fleet.call(await contestant.url(), { ...DEFAULT_SCRIPT, isMuted: true });
    await pause(IDLE_SETTLE_MS);
    return usageOf(contestant.pid).rssBytes;
  };
  const { some, many } = IDLE_CALLS;
  const before = await idleCalls(some);
  const after = await idleCalls(many - some);
  await fleet.hangUp();
  const kilobytes = (after - before) / (many - some) / 1_000;
  return {
    id: "scale.idle-memory",
    title: "memory of an idle call, from 200 to 1,000 of them",
    unit: "KB",
    better: "lower",
    ours: spreadOf([kilobytes]),
    target: { text: `under ${MAX_IDLE_KB} KB`, holds: kilobytes < MAX_IDLE_KB },
  };
}

function figuresOf(calls: number, measured: ReadonlyMap<number, readonly Measured[]>): Figure[] {
  const of = (size: number, value: (one: Measured) => number): Spread =>
    spreadOf((measured.get(size) ?? []).map(value));
  const cost = of(calls, (one) => one.cpuUsPerCallSec);
  const base = of(100, (one) => one.cpuUsPerCallSec);
  const onTime = of(calls, (one) => one.onTime * 100);
  const isLargest = calls === 1_000;
  return [
    {
      id: `scale.cpu-${calls}`,
      title: `CPU a call and second, ${calls} calls`,
      unit: "µs",
      better: "lower",
      ours: cost,
      ...(isLargest
        ? {
            target: {
              text: `at most ${MAX_GROWTH} × that of 100, with its frames in time`,
              // A call whose frames are late, or never sent, costs less.
              holds: cost.median <= MAX_GROWTH * base.median && onTime.median >= MIN_ON_TIME * 100,
            },
          }
        : {}),
    },
    {
      id: `scale.on-time-${calls}`,
      title: `frames less than 20 ms late, ${calls} calls`,
      unit: "%",
      better: "higher",
      ours: onTime,
      target: { text: "at least 99.9 %", holds: onTime.median >= MIN_ON_TIME * 100 },
    },
    {
      id: `scale.callers-${calls}`,
      title: `how late the callers' own clock ran, p99, ${calls} calls`,
      unit: "ms",
      better: "lower",
      ours: of(calls, (one) => one.callersLateMs),
    },
  ];
}
