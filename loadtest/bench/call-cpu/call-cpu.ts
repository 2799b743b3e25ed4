import { Fleet } from "../../callers/fleet.ts";
import { startStack } from "../../stack/stack.ts";
import type { Bench, Figure, Spread } from "../harness/figure.ts";
import { interleaved } from "../harness/rounds.ts";
import {
  type Contestant,
  type HoldOptions,
  hold,
  type Measured,
  ownServer,
  SPREAD_MS,
  watchedParley,
} from "./contestants.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const CALLS = 100;
const ROUNDS = 3;
/** Node's compiler needs this long for code that runs once per turn. */
const WARM_UP_MS = 12_000;
/** Measures a whole exchange, once callers are spread over one; rivals have no phases. */
const OURS = { calls: CALLS, settleMs: SPREAD_MS, measureMs: SPREAD_MS };
const RIVALS = { calls: CALLS, settleMs: 2_000, measureMs: 5_000 };
/** Upper bounds: cost relative to the echo, and to the afternoon's gateway. */
const MAX_OF_LIMIT = 3;
const MAX_OF_PEER = 0.5;

/** The cost of a live call, compared with a bare echo of its frames and with an afternoon's gateway. */
export const callCpu: Bench = {
  name: "call-cpu",
  title: "CPU of a live call (voice detection, recording, turns, frames fanned out), one pinned core",
  run: async (say) => {
    const stack = await startStack({
      gatewayCpu: CPU,
      othersCpu: OTHERS_CPU,
    });
    const fleet = await Fleet.start({ calls: CALLS, cpu: OTHERS_CPU });
    const echo = await ownServer("./echo-process.ts", { cpu: CPU });
    const afternoon = await ownServer("./afternoon-process.ts", { cpu: CPU, args: [stack.redisUrl] });
    const measure = (name: string, contestant: Contestant, options: HoldOptions) => async (round: number) => {
      const measured = await hold(contestant, fleet, options);
      say(`round ${round + 1}, ${name}: ${describe(measured)}`);
      return measured.cpuUsPerCallSec;
    };
    const warmUp = { calls: CALLS, settleMs: 0, measureMs: WARM_UP_MS };
    try {
      say(`warm-up: ${describe(await hold(watchedParley(stack), fleet, warmUp))}`);
      const contest = await interleaved(ROUNDS, {
        ours: measure("Parley", watchedParley(stack), OURS),
        limit: measure("echo", echo, RIVALS),
        peer: measure("afternoon", afternoon, RIVALS),
      });
      return [asFigure(contest)];
    } finally {
      await fleet.close();
      await Promise.all([echo.stop(), afternoon.stop()]);
      await stack.close();
    }
  },
};

function asFigure({ ours, limit, peer }: Record<"ours" | "limit" | "peer", Spread>): Figure {
  return {
    id: "call-cpu.per-call",
    title: `CPU a call and second, ${CALLS} calls`,
    unit: "µs",
    better: "lower",
    ours,
    limit: { name: "bare uWebSockets echo", value: limit },
    peer: { name: "an afternoon's gateway", value: peer },
    target: {
      text: `at most ${MAX_OF_LIMIT} × the echo and ${MAX_OF_PEER} × the afternoon's gateway`,
      holds: ours.median <= MAX_OF_LIMIT * limit.median && ours.median <= MAX_OF_PEER * peer.median,
    },
  };
}

function describe({ cpuUsPerCallSec, framesInPerCallSec, framesOutPerCallSec, live }: Measured): string {
  const cpu = `${cpuUsPerCallSec.toFixed(0)} µs a call-second`;
  return `${cpu}, ${live} calls, ${framesInPerCallSec.toFixed(1)} frames/s in, ${framesOutPerCallSec.toFixed(1)} out`;
}
