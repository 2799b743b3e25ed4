import { Fleet } from "../../callers/fleet.ts";
import { startStack } from "../../stack/stack.ts";
import { type Bench, type Figure, type Spread, spreadOf } from "../harness/figure.ts";
import { hold, type Measured, parley } from "./contestants.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const SIZES = [10, 100, 1_000] as const;
const ROUNDS = 3;
const WARM_UP = { calls: 50, settleMs: 0, measureMs: 20_000 };
const SETTLE_MS = 8_000;
const MEASURE_MS = 8_000;
const MIN_ON_TIME = 0.999;
/** What a call may cost at a thousand, of what it costs at a hundred. */
const MAX_GROWTH = 1.2;

/** How the cost of a call changes with their number, up to a thousand on one core. */
export const scale: Bench = {
  name: "scale",
  title: "Ten, a hundred, a thousand calls on one pinned core",
  run: async (say) => {
    const stack = await startStack({ gatewayCpu: CPU, othersCpu: OTHERS_CPU });
    const fleet = await Fleet.start({ calls: Math.max(...SIZES), cpu: OTHERS_CPU });
    const measured = new Map<number, Measured[]>(SIZES.map((calls) => [calls, []]));
    try {
      await hold(parley(stack), fleet, WARM_UP);
      for (let round = 0; round < ROUNDS; round++) {
        for (const calls of SIZES) {
          const options = { calls, settleMs: SETTLE_MS, measureMs: MEASURE_MS };
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
    return SIZES.flatMap((calls) => figuresOf(calls, measured));
  },
};

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
              text: `at most ${MAX_GROWTH} × that of 100`,
              holds: cost.median <= MAX_GROWTH * base.median,
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
  ];
}
