import { Fleet } from "../../callers/fleet.ts";
import { type Stack, startStack } from "../../stack/stack.ts";
import {
  type Contestant,
  type HoldOptions,
  hold,
  type Measured,
  SPREAD_MS,
} from "../call-cpu/contestants.ts";
import { type Bench, type Figure, spreadOf } from "../harness/figure.ts";
import { onCpu } from "../harness/pin.ts";
import { startRecognizer } from "./recognizer.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const ROUNDS = 3;
/** A single call has no phase to spread, and gives too few answers for a mean in one exchange. */
const SIZES: readonly HoldOptions[] = [
  { calls: 1, settleMs: 3_000, measureMs: 20_000 },
  { calls: 20, settleMs: SPREAD_MS, measureMs: SPREAD_MS },
  { calls: 100, settleMs: SPREAD_MS, measureMs: SPREAD_MS },
];
const WARM_UP = { calls: 20, settleMs: 0, measureMs: 15_000 };
/** No interruptions, so that each answer's delay belongs to one turn. */
const SCRIPT = { interruptEvery: 0 } as const;
/**
 * What the front end may add: to a call's CPU, its cost for a caller who talks all the time; to the delay,
 * nothing.
 */
const MAX_ADDED_US = 6_000;
const MAX_ADDED_MS = 10;

const SIDES = ["on", "off"] as const;
type Side = (typeof SIDES)[number];
type Rounds = Record<Side, Measured[]>;

/**
 * Whether the front end makes a call in a quiet room worse: the same calls with and without it, in turn, on
 * one core.
 */
export const quietLine: Bench = {
  name: "quiet-line",
  title:
    "A quiet line with the front end and without it: CPU and response delay of the same calls, one pinned core",
  run: (say) =>
    onCpu(OTHERS_CPU, async () => {
      const recognizer = await startRecognizer();
      const stack = await startStack({
        gatewayCpu: CPU,
        othersCpu: OTHERS_CPU,
        brain: { BRAIN_WORDS: "8" },
        gatewayEnv: { OPENAI_API_KEY: "load-test-key", OPENAI_BASE_URL: recognizer.url },
        gateways: [{ FRONT_END: "true" }, { FRONT_END: "false" }],
      });
      const fleet = await Fleet.start({
        calls: Math.max(...SIZES.map(({ calls }) => calls)),
        cpu: OTHERS_CPU,
      });
      try {
        for (const side of SIDES) await hold(contestant(stack, side), fleet, { ...WARM_UP, script: SCRIPT });
        const figures: Figure[] = [];
        for (const size of SIZES) {
          figures.push(...figuresOf(size.calls, await rounds(size, { stack, fleet, say })));
        }
        return figures;
      } finally {
        await fleet.close();
        await stack.close();
        await recognizer.close();
      }
    }),
};

function contestant({ gateways, seeder }: Stack, side: Side): Contestant {
  const gateway = gateways[SIDES.indexOf(side)];
  if (!gateway) throw new Error("the stack has too few gateways");
  const url = async () => (await seeder.create(gateway.wsUrl, { stt: [{ vendor: "openai" }] })).websocketUrl;
  return { pid: gateway.pid, url };
}

/** Measures both sides in turn; the order alternates between rounds. */
async function rounds(
  size: HoldOptions,
  { stack, fleet, say }: { stack: Stack; fleet: Fleet; say: (line: string) => void },
): Promise<Rounds> {
  const measured: Rounds = { on: [], off: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const one = await hold(contestant(stack, side), fleet, { ...size, script: SCRIPT });
      measured[side].push(one);
      const { cpuUsPerCallSec, responseMs, responses, onTime } = one;
      say(
        `round ${round + 1}, ${size.calls} calls, ${side}: ${cpuUsPerCallSec.toFixed(0)} µs a call-second, ` +
          `answered after ${responseMs.toFixed(0)} ms (${responses}), ${(onTime * 100).toFixed(2)} % in time`,
      );
    }
  }
  return measured;
}

function figuresOf(calls: number, { on, off }: Rounds): Figure[] {
  const where = calls === 1 ? "1 call" : `${calls} calls`;
  const cpu = ({ cpuUsPerCallSec }: Measured): number => cpuUsPerCallSec;
  const delay = ({ responseMs }: Measured): number => responseMs;
  const pairs = on.map((one, round) => [one, off[round] as Measured] as const);
  const added = (value: (one: Measured) => number) =>
    spreadOf(pairs.map(([withIt, without]) => value(withIt) - value(without)));
  const ratio = (value: (one: Measured) => number) =>
    spreadOf(pairs.map(([withIt, without]) => value(withIt) / value(without)));
  const sides = (value: (one: Measured) => number) => ({
    ours: spreadOf(on.map(value)),
    limit: { name: "without", value: spreadOf(off.map(value)) },
  });
  const common = { better: "lower" } as const;
  return [
    {
      ...{ ...common, id: `quiet-line.cpu-${calls}`, title: `CPU a call and second, ${where}`, unit: "µs" },
      ...sides(cpu),
      target: {
        text: `at most ${MAX_ADDED_US / 10_000} % of a core more`,
        holds: added(cpu).median <= MAX_ADDED_US,
      },
    },
    {
      ...{ ...common, id: `quiet-line.cpu-ratio-${calls}`, title: `the same, ratio by round, ${where}` },
      ...{ unit: "×", ours: ratio(cpu) },
    },
    {
      ...{
        ...common,
        id: `quiet-line.delay-${calls}`,
        title: `last voice to the answer, ${where}`,
        unit: "ms",
      },
      ...sides(delay),
      target: { text: `at most ${MAX_ADDED_MS} ms later`, holds: added(delay).median <= MAX_ADDED_MS },
    },
    {
      ...{ ...common, id: `quiet-line.delay-ratio-${calls}`, title: `the same, ratio by round, ${where}` },
      ...{ unit: "×", ours: ratio(delay) },
    },
  ];
}
