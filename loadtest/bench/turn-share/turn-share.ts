import { fileURLToPath } from "node:url";
import { Histogram } from "../../report/histogram.ts";
import { startChild } from "../../stack/child.ts";
import { type Stack, startStack } from "../../stack/stack.ts";
import { callCrowd } from "../harness/crowd.ts";
import { type Bench, type Figure, type Spread, spreadOf } from "../harness/figure.ts";
import { probeTurns } from "./probe.ts";
import { type TurnTimes, World } from "./world.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const ROUNDS = 3;
const CROWD = 200;
const PROBES = { alone: 1, crowd: 10 } as const;
const TURNS = { alone: 5, crowd: 4 } as const;
const MAX_SHARE_MS = 10;

/** Parts of a turn in which only the gateway is working. */
const STAGES = {
  request: ({ asked, requestArrived }: TurnTimes) => requestArrived - asked,
  voice: ({ tokenWritten, voiceAsked }: TurnTimes) => voiceAsked - tokenWritten,
  socket: ({ audioWritten, heard }: TurnTimes) => heard - audioWritten,
  all: (times: TurnTimes) => STAGES.request(times) + STAGES.voice(times) + STAGES.socket(times),
} as const;
type Stage = keyof typeof STAGES;
const TITLES: Record<Stage, string> = {
  request: "turn decided → request at the brain",
  voice: "token → request at the voice",
  socket: "voice's first byte → first frame at the caller",
  all: "all three",
};

/** What the gateway itself adds to a turn, seen from outside, including both wires and the observers. */
export const turnShare: Bench = {
  name: "turn-share",
  title: "What the gateway adds to a turn, at 1 and at 200 calls",
  run: async (say) => {
    const world = await World.start();
    const stack = await startStack({
      gatewayCpu: CPU,
      othersCpu: OTHERS_CPU,
      gatewayEnv: { DEEPGRAM_URL: world.voiceUrl },
    });
    const path = fileURLToPath(new URL("./relay-process.ts", import.meta.url));
    const relay = await startChild({
      command: [process.execPath, path, world.brainUrl, world.voiceUrl],
      cpu: CPU,
      ready: /ready at (ws:\S+)/,
    });
    const ours = (): Promise<string> => sessionFor(stack, world);
    const bare = async (): Promise<string> => `${relay.ready[0]}/`;
    const rounds: Record<"alone" | "relay" | "crowd", TurnTimes[][]> = { alone: [], relay: [], crowd: [] };
    try {
      await probe(world, { url: ours, probes: 5, turns: 6 });
      for (let round = 0; round < ROUNDS; round++) {
        rounds.relay.push(await probe(world, { url: bare, probes: PROBES.alone, turns: TURNS.alone }));
        rounds.alone.push(await probe(world, { url: ours, probes: PROBES.alone, turns: TURNS.alone }));
        say(`round ${round + 1}, 1 call: ${describe(rounds.alone)}, bare relay: ${describe(rounds.relay)}`);
      }
      const crowd = await callCrowd(stack, { calls: CROWD - PROBES.crowd, cpu: OTHERS_CPU });
      for (let round = 0; round < ROUNDS; round++) {
        rounds.crowd.push(await probe(world, { url: ours, probes: PROBES.crowd, turns: TURNS.crowd }));
        say(`round ${round + 1}, ${CROWD} calls: ${describe(rounds.crowd)}`);
      }
      await crowd.close();
    } finally {
      await relay.stop();
      await stack.close();
      await world.close();
    }
    return [
      ...figures("1 call", rounds.alone, rounds.relay),
      ...figures(`${CROWD} calls`, rounds.crowd, rounds.relay),
    ];
  },
};

async function sessionFor({ seeder, gateways: [gateway] }: Stack, world: World): Promise<string> {
  const agent = { brain: { url: world.brainUrl }, silence: { promptAfterMs: 0, hangupAfterMs: 0 } };
  return (await seeder.create(gateway?.wsUrl ?? "", agent)).websocketUrl;
}

async function probe(
  world: World,
  { url, probes, turns }: { url: () => Promise<string>; probes: number; turns: number },
): Promise<TurnTimes[]> {
  world.forget();
  await Promise.all(Array.from({ length: probes }, async () => probeTurns(await url(), { world, turns })));
  return world.finished();
}

function figures(where: string, ours: readonly TurnTimes[][], relay: readonly TurnTimes[][]): Figure[] {
  const stages = Object.keys(STAGES) as Stage[];
  return stages.flatMap((stage) => [
    figure(where, stage, { q: 0.5, ours, relay }),
    figure(where, stage, { q: 0.99, ours, relay }),
  ]);
}

function figure(
  where: string,
  stage: Stage,
  { q, ours, relay }: { q: number; ours: readonly TurnTimes[][]; relay: readonly TurnTimes[][] },
): Figure {
  const value = spread(ours, stage, q);
  const isPromised = stage === "all" && q === 0.99 && where === `${CROWD} calls`;
  return {
    id: `turn-share.${stage}-p${q * 100}-${where.replace(" ", "-")}`,
    title: `${TITLES[stage]}, p${q * 100}, ${where}`,
    unit: "ms",
    better: "lower",
    ours: value,
    limit: { name: "bare relay alone", value: spread(relay, stage, q) },
    ...(isPromised
      ? { target: { text: `under ${MAX_SHARE_MS} ms`, holds: value.median < MAX_SHARE_MS } }
      : {}),
  };
}

function spread(rounds: readonly TurnTimes[][], stage: Stage, q: number): Spread {
  return spreadOf(rounds.map((turns) => quantileOf(turns.map(STAGES[stage]), q)));
}

function quantileOf(values: readonly number[], q: number): number {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram.quantile(q);
}

function describe(rounds: readonly TurnTimes[][]): string {
  const turns = rounds.at(-1) ?? [];
  const all = turns.map(STAGES.all);
  return `${turns.length} turns, p50 ${quantileOf(all, 0.5).toFixed(1)}, p99 ${quantileOf(all, 0.99).toFixed(1)} ms`;
}
