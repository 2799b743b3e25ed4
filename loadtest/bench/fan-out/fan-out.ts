import { framesChannel } from "@parley/shared/contracts/stream-frames.ts";
import { type Child, startChild } from "../../stack/child.ts";
import { type Stack, startStack } from "../../stack/stack.ts";
import { type Bench, type Figure, type Spread, spreadOf } from "../harness/figure.ts";
import { interleaved } from "../harness/rounds.ts";
import { stampedFrame } from "./frame.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const WATCHERS = 1_000;
const ROUNDS = 3;
const FRAMES_A_ROUND = 80;
const FRAME_EVERY_MS = 50;
const MAX_P99_MS = 20;
/** Prefix of every Redis channel (`shared/bus/redis.ts`). */
const REDIS_PREFIX = "parley:";
const PEER_CHANNEL = framesChannel("ses_peer");

/** Time from a frame's publication until the last of a thousand watchers, on another node than the call, has it. */
export const fanOut: Bench = {
  name: "fan-out",
  title: `A call's frame to ${WATCHERS} watchers through Redis, gateway on one pinned core`,
  run: async (say) => {
    const stack = await startStack({ gatewayCpu: CPU, othersCpu: OTHERS_CPU });
    const topic = await server("topic", [String(FRAME_EVERY_MS)]);
    const loop = await server("loop", [stack.redisUrl, REDIS_PREFIX + PEER_CHANNEL]);
    const p50s = { Parley: [] as number[], topic: [] as number[], loop: [] as number[] };
    const measure =
      (name: keyof typeof p50s, watch: () => Promise<readonly number[]>) => async (round: number) => {
        const delaysMs = [...(await watch())].sort((a, b) => a - b);
        const [p50, p99] = [quantile(delaysMs, 0.5), quantile(delaysMs, 0.99)];
        p50s[name].push(p50);
        say(`round ${round + 1}, ${name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
        return p99;
      };
    try {
      const p99 = await interleaved(ROUNDS, {
        ours: measure("Parley", () => watchCall(stack)),
        limit: measure("topic", () => watchers(`${topic.ready[0]}/`)),
        peer: measure("loop", () =>
          whilePublishing(stack, PEER_CHANNEL, () => watchers(`${loop.ready[0]}/`)),
        ),
      });
      const p50 = { ours: spreadOf(p50s.Parley), limit: spreadOf(p50s.topic), peer: spreadOf(p50s.loop) };
      return figures(p99, p50);
    } finally {
      await Promise.all([topic.stop(), loop.stop()]);
      await stack.close();
    }
  },
};

function server(name: string, args: readonly string[]): Promise<Child> {
  return startChild({
    command: [process.execPath, `loadtest/bench/fan-out/${name}-process.ts`, ...args],
    cpu: CPU,
    ready: /ready at (ws:\S+)/,
  });
}

async function watchCall(stack: Stack): Promise<readonly number[]> {
  const [gateway] = stack.gateways;
  if (!gateway) throw new Error("the stack has no gateway");
  // A session still waiting for its caller can be watched: this node needs no call.
  const { sessionId } = await stack.seeder.create(gateway.wsUrl);
  const url = await stack.seeder.urlFor(gateway.wsUrl, sessionId, "stream");
  return whilePublishing(stack, framesChannel(sessionId), () => watchers(url));
}

/** Publishes a frame periodically, as the call's gateway would, until `work` is done. */
async function whilePublishing<T>(stack: Stack, channel: string, work: () => Promise<T>): Promise<T> {
  let number = 0;
  const timer = setInterval(() => {
    void stack.bus.channels.publish(channel, stampedFrame("ses_bench", number++));
  }, FRAME_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** For each frame, the ms until the last watcher had it. */
async function watchers(url: string): Promise<readonly number[]> {
  const program = "loadtest/bench/fan-out/watchers-process.ts";
  const child = await startChild({
    command: [process.execPath, program, url, String(WATCHERS), String(FRAMES_A_ROUND)],
    cpu: OTHERS_CPU,
    ready: /watched (\[.*\])/,
  });
  await child.stop();
  return JSON.parse(child.ready[0] ?? "[]") as number[];
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

type Contest = Readonly<Record<"ours" | "limit" | "peer", Spread>>;

function figures(p99: Contest, p50: Contest): Figure[] {
  const target = { text: `under ${MAX_P99_MS} ms`, holds: p99.ours.median < MAX_P99_MS };
  return [asFigure("p50", p50), { ...asFigure("p99", p99), target }];
}

function asFigure(share: string, { ours, limit, peer }: Contest): Figure {
  return {
    id: `fan-out.${share}`,
    title: `publish → last of ${WATCHERS} watchers, ${share}`,
    unit: "ms",
    better: "lower",
    ours,
    limit: { name: "bare uWebSockets publish", value: limit },
    peer: { name: "ws and a loop", value: peer },
  };
}
