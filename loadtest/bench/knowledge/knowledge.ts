import { Fleet } from "../../callers/fleet.ts";
import { scrape } from "../../run/gateway-metrics.ts";
import { type Stack, startStack } from "../../stack/stack.ts";
import { type BenchApi, startApi } from "../api/control-api.ts";
import { type Contestant, type HoldOptions, hold, type Measured } from "../call-cpu/contestants.ts";
import { type Bench, type Figure, spreadOf } from "../harness/figure.ts";
import { onCpu } from "../harness/pin.ts";
import { startRecognizer } from "../quiet-line/recognizer.ts";
import { fillKnowledgeBase, type OrgApi, orgApi } from "./fill.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const ROUNDS = 3;
const SIZE: HoldOptions = { calls: 10, settleMs: 6_000, measureMs: 20_000 };
const WARM_UP = { calls: 4, settleMs: 0, measureMs: 12_000 };
/** No interruptions, so that each answer's delay belongs to one turn. */
const SCRIPT = { interruptEvery: 0 } as const;
const MAX_ADDED_MS = 10;

const SIDES = ["on", "off"] as const;
type Side = (typeof SIDES)[number];
type Rounds = Record<Side, Measured[]>;

/** Whether callers wait longer for an agent that looks into the organization's documents in every turn. */
export const knowledge: Bench = {
  name: "knowledge",
  title: "What searching the organization's documents in every turn adds to a spoken turn",
  run: (say) =>
    onCpu(OTHERS_CPU, async () => {
      const recognizer = await startRecognizer();
      const stack = await startStack({
        gatewayCpu: CPU,
        othersCpu: OTHERS_CPU,
        brain: { BRAIN_WORDS: "8" },
        gatewayEnv: { OPENAI_API_KEY: "load-test-key", OPENAI_BASE_URL: recognizer.url },
      });
      const started: { close(): Promise<void> }[] = [recognizer, stack];
      try {
        const api = await startApi(stack, OTHERS_CPU, {
          ...stack.controlApiEnv,
          OPENAI_API_KEY: "load-test-key",
          DEEPGRAM_API_KEY: "load-test-key",
        });
        started.push(api);
        const fleet = await Fleet.start({ calls: SIZE.calls, cpu: OTHERS_CPU });
        started.push(fleet);
        const sides = await contestants(stack, api, say);
        for (const side of SIDES) await hold(sides[side], fleet, { ...WARM_UP, script: SCRIPT });
        const measured = await rounds(sides, fleet, say);
        await assertSearched(stack, measured.on);
        return figuresOf(measured);
      } finally {
        for (const part of started.reverse()) await part.close();
      }
    }),
};

/** The same agent twice, once with the documents. */
async function contestants(
  stack: Stack,
  api: BenchApi,
  say: (line: string) => void,
): Promise<Record<Side, Contestant>> {
  const org = await orgApi(api);
  const base = await fillKnowledgeBase(org);
  say(`${base.documents} pages of Parley's own documentation in a knowledge base, ${base.parts} parts`);
  const tools = [{ kind: "knowledge", name: "look_up", knowledgeBaseIds: [base.id] }];
  return {
    on: await contestant(stack, org, tools),
    off: await contestant(stack, org, []),
  };
}

async function contestant(
  { gateways: [gateway], brainUrl }: Stack,
  { post }: OrgApi,
  tools: readonly object[],
): Promise<Contestant> {
  if (!gateway) throw new Error("the stack has no gateway");
  const agent = await post("/api/agents", {
    name: tools.length > 0 ? "Reader" : "Talker",
    brain: { url: brainUrl, tools },
    stt: [{ vendor: "openai" }],
    tts: [{ vendor: "deepgram" }],
    silence: { promptAfterMs: 0, hangupAfterMs: 0 },
  });
  const { id: agentId } = agent.data as { id: string };
  const url = async (): Promise<string> => {
    const session = await post("/api/sessions/init-web-call", { agentId });
    return (session.data as { websocketUrl: string }).websocketUrl;
  };
  return { pid: gateway.pid, url };
}

/** Measures both sides in turn; the order alternates between rounds. */
async function rounds(
  sides: Record<Side, Contestant>,
  fleet: Fleet,
  say: (line: string) => void,
): Promise<Rounds> {
  const measured: Rounds = { on: [], off: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const one = await hold(sides[side], fleet, { ...SIZE, script: SCRIPT });
      measured[side].push(one);
      say(
        `round ${round + 1}, documents ${side}: answered after ${one.responseMs.toFixed(0)} ms (${one.responses})`,
      );
    }
  }
  return measured;
}

/** Throws unless each answer of the agent with documents came after a search. */
async function assertSearched({ gateways: [gateway] }: Stack, on: readonly Measured[]): Promise<void> {
  const searches = (await scrape(gateway?.httpUrl ?? "")).get("parley_tool_run_seconds_count") ?? 0;
  const answers = on.reduce((sum, { responses }) => sum + responses, 0);
  if (searches < answers) throw new Error(`there were ${answers} answers, but ${searches} searches`);
}

function figuresOf({ on, off }: Rounds): Figure[] {
  const delays = (side: readonly Measured[]): number[] => side.map(({ responseMs }) => responseMs);
  const added = spreadOf(delays(on).map((ms, round) => ms - (delays(off)[round] ?? Number.NaN)));
  const common = { better: "lower", unit: "ms" } as const;
  return [
    {
      ...{ ...common, id: "knowledge.delay", title: `last voice to the answer, ${SIZE.calls} calls` },
      ours: spreadOf(delays(on)),
      limit: { name: "the same agent without documents", value: spreadOf(delays(off)) },
      target: { text: `at most ${MAX_ADDED_MS} ms later`, holds: added.median <= MAX_ADDED_MS },
    },
    { ...common, id: "knowledge.added", title: "the difference, by round", ours: added },
  ];
}
