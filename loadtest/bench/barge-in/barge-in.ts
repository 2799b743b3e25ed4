import { fileURLToPath } from "node:url";
import { makeUtterances, type Utterance } from "../../callers/speech.ts";
import { Histogram } from "../../report/histogram.ts";
import { startChild } from "../../stack/child.ts";
import { type Stack, startStack } from "../../stack/stack.ts";
import { callCrowd } from "../harness/crowd.ts";
import { type Bench, type Figure, type Spread, spreadOf } from "../harness/figure.ts";
import { interrupt } from "./interrupt.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const ROUNDS = 3;
const CROWD = 200;
const PROBES = 10;
const TIMES = 3;
const MAX_MS = 20;
/** Interrupts as soon as this much voice was heard, so the triggering frame is known. */
const MIN_SPEECH_MS = 200;
const LONG_ANSWER = "One two three four five six seven eight nine ten. ".repeat(6);

/** How soon the loudspeaker is told to stop once enough voice was heard. */
export const bargeIn: Bench = {
  name: "barge-in",
  title: "Barge-in: the frame that makes the voice long enough → clear at the caller",
  run: async (say) => {
    const [speech] = await makeUtterances();
    if (!speech) throw new Error("the voice made no speech");
    const stack = await startStack({ gatewayCpu: CPU, othersCpu: OTHERS_CPU });
    const path = fileURLToPath(new URL("./clearing-process.ts", import.meta.url));
    const bare = await startChild({
      command: [process.execPath, path],
      cpu: CPU,
      ready: /ready at (ws:\S+)/,
    });
    const ours = (): Promise<string> => sessionFor(stack);
    const limit = async (): Promise<string> => `${bare.ready[0]}/`;
    const rounds: Record<"alone" | "bare" | "crowd", number[][]> = { alone: [], bare: [], crowd: [] };
    try {
      await all(PROBES, ours, speech);
      for (let round = 0; round < ROUNDS; round++) {
        rounds.bare.push(await all(PROBES, limit, speech));
        rounds.alone.push(await all(PROBES, ours, speech));
        say(`round ${round + 1}, ${PROBES} calls: ${describe(rounds.alone)}, bare: ${describe(rounds.bare)}`);
      }
      const crowd = await callCrowd(stack, { calls: CROWD - PROBES, cpu: OTHERS_CPU });
      for (let round = 0; round < ROUNDS; round++) {
        rounds.crowd.push(await all(PROBES, ours, speech));
        say(`round ${round + 1}, ${CROWD} calls: ${describe(rounds.crowd)}`);
      }
      await crowd.close();
    } finally {
      await bare.stop();
      await stack.close();
    }
    return [
      ...figures(`${PROBES} calls`, rounds.alone, rounds.bare),
      ...figures(`${CROWD} calls`, rounds.crowd, rounds.bare),
    ];
  },
};

async function sessionFor({ seeder, gateways: [gateway] }: Stack): Promise<string> {
  const voiceAlone = { minSpeechMs: MIN_SPEECH_MS, confirmSpeechMs: MIN_SPEECH_MS };
  const turnTaking = { bargeIn: voiceAlone, firstResponseInterruptible: true };
  const agent = { firstResponse: LONG_ANSWER, turnTaking };
  return (await seeder.create(gateway?.wsUrl ?? "", agent)).websocketUrl;
}

async function all(probes: number, url: () => Promise<string>, speech: Utterance): Promise<number[]> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const round = Array.from({ length: probes }, async () => interrupt(await url(), speech));
    times.push(...(await Promise.all(round)).filter((ms) => ms !== undefined));
  }
  return times;
}

function figures(where: string, ours: readonly number[][], bare: readonly number[][]): Figure[] {
  return [0.5, 0.99].map((q) => {
    const value = spread(ours, q);
    return {
      id: `barge-in.p${q * 100}-${where.replace(" ", "-")}`,
      title: `enough voice → clear, p${q * 100}, ${where}`,
      unit: "ms",
      better: "lower",
      ours: value,
      limit: { name: "bare uWebSockets", value: spread(bare, q) },
      ...(q === 0.99 ? { target: { text: `under ${MAX_MS} ms`, holds: value.median < MAX_MS } } : {}),
    };
  });
}

function spread(rounds: readonly number[][], q: number): Spread {
  return spreadOf(rounds.map((times) => quantileOf(times, q)));
}

function quantileOf(times: readonly number[], q: number): number {
  const histogram = new Histogram();
  for (const ms of times) histogram.record(ms);
  return histogram.quantile(q);
}

function describe(rounds: readonly number[][]): string {
  const times = rounds.at(-1) ?? [];
  return `${times.length} times, p50 ${quantileOf(times, 0.5).toFixed(1)}, p99 ${quantileOf(times, 0.99).toFixed(1)} ms`;
}
