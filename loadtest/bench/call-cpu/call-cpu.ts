import { Fleet } from "../../callers/fleet.ts";
import { startStack } from "../../stack/stack.ts";
import { type Bench, type Figure, type Spread, spreadOf } from "../harness/figure.ts";
import { interleaved } from "../harness/rounds.ts";
import {
  type Contestant,
  type HoldOptions,
  hold,
  type Measured,
  ownServer,
  SPREAD_MS,
  WITHOUT_FRONT_END,
  watchedParley,
} from "./contestants.ts";

const CPU = 0;
const OTHERS_CPU = 1;
/** One core holds fewer calls of an afternoon's gateway than the largest size, so there is no such peer there. */
const SIZES = [
  { calls: 100, hasPeer: true },
  { calls: 300, hasPeer: true },
  { calls: 1_000, hasPeer: false },
] as const;
const ROUNDS = 3;
/** Node's compiler needs this long for code that runs once per turn. */
const WARM_UP_MS = 12_000;
const WARM_UP_CALLS = 100;
/** Measures a whole exchange, once callers are spread over one; rivals have no phases. */
const OURS = { settleMs: SPREAD_MS, measureMs: SPREAD_MS };
const RIVALS = { settleMs: 2_000, measureMs: 5_000 };
/** A gateway whose agents fall silent costs little: a figure that callers heard less for than this share of the echo's says so. */
const MIN_HEARD = 0.9;
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
      gatewayEnv: WITHOUT_FRONT_END,
    });
    const fleet = await Fleet.start({ calls: Math.max(...SIZES.map(({ calls }) => calls)), cpu: OTHERS_CPU });
    const echo = await ownServer("./echo-process.ts", { cpu: CPU });
    const afternoon = await ownServer("./afternoon-process.ts", { cpu: CPU, args: [stack.redisUrl] });
    const heard = { ours: [] as number[], limit: [] as number[], peer: [] as number[] };
    const measure =
      (name: keyof typeof heard, contestant: Contestant, options: HoldOptions) => async (round: number) => {
        const measured = await hold(contestant, fleet, options);
        say(`round ${round + 1}, ${NAMES[name]}: ${describe(measured)}`);
        heard[name].push(measured.framesOutPerCallSec);
        return measured.cpuUsPerCallSec;
      };
    const warmUp = { calls: WARM_UP_CALLS, settleMs: 0, measureMs: WARM_UP_MS };
    try {
      say(`warm-up: ${describe(await hold(watchedParley(stack), fleet, warmUp))}`);
      const figures: Figure[] = [];
      for (const { calls, hasPeer } of SIZES) {
        const both = {
          ours: measure("ours", watchedParley(stack), { calls, ...OURS }),
          limit: measure("limit", echo, { calls, ...RIVALS }),
        };
        const peer = measure("peer", afternoon, { calls, ...RIVALS });
        const contest: Contest = hasPeer
          ? await interleaved(ROUNDS, { ...both, peer })
          : await interleaved(ROUNDS, both);
        const [ours = 0, limit = 1, other = 0] = [heard.ours, heard.limit, heard.peer].map(
          (rounds) => spreadOf(rounds.splice(0)).median,
        );
        figures.push(asFigure(calls, contest, { ours: ours / limit, peer: other / limit }));
      }
      return figures;
    } finally {
      await fleet.close();
      await Promise.all([echo.stop(), afternoon.stop()]);
      await stack.close();
    }
  },
};

const NAMES = { ours: "Parley", limit: "echo", peer: "afternoon" } as const;

interface Contest {
  readonly ours: Spread;
  readonly limit: Spread;
  readonly peer?: Spread;
}

/** `heard`: what the callers of each heard, relative to the echo's. */
function asFigure(
  calls: number,
  { ours, limit, peer }: Contest,
  heard: { readonly ours: number; readonly peer: number },
): Figure {
  const id = calls === WARM_UP_CALLS ? "call-cpu.per-call" : `call-cpu.per-call-${calls}`;
  const ofPeer = peer ? ` and ${MAX_OF_PEER} × the afternoon's gateway` : "";
  const isHeard = heard.ours >= MIN_HEARD;
  const isUnderPeer = !peer || ours.median <= MAX_OF_PEER * peer.median;
  return {
    id,
    title: `CPU a call and second, ${calls} calls`,
    unit: "µs",
    better: "lower",
    ours,
    limit: { name: "bare uWebSockets echo", value: limit },
    ...(peer && {
      peer: {
        name: `an afternoon's gateway${heard.peer < MIN_HEARD ? `, whose callers heard ${shareOfEcho(heard.peer)}` : ""}`,
        value: peer,
      },
    }),
    target: {
      text: `at most ${MAX_OF_LIMIT} × the echo${ofPeer}${isHeard ? "" : `; callers heard ${shareOfEcho(heard.ours)}`}`,
      holds: isHeard && ours.median <= MAX_OF_LIMIT * limit.median && isUnderPeer,
    },
  };
}

function shareOfEcho(share: number): string {
  return `${(share * 100).toFixed(0)} % of what the echo's did`;
}

function describe(measured: Measured): string {
  const { cpuUsPerCallSec, framesInPerCallSec, framesOutPerCallSec, live, callersLateMs } = measured;
  const cpu = `${cpuUsPerCallSec.toFixed(0)} µs a call-second`;
  const frames = `${framesInPerCallSec.toFixed(1)} frames/s in, ${framesOutPerCallSec.toFixed(1)} out`;
  return `${cpu}, ${live} calls, ${frames}, callers ${callersLateMs.toFixed(1)} ms late, p99`;
}
