import { once } from "node:events";
import { WebSocket } from "ws";
import { Histogram } from "../../report/histogram.ts";
import { startStack } from "../../stack/stack.ts";
import { type BenchApi, startApi } from "../api/control-api.ts";
import { type Bench, type Figure, spreadOf } from "../harness/figure.ts";
import { pause } from "../harness/pause.ts";
import { Lookups, type LookupTimes } from "./lookups.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const ROUNDS = 3;
const LOOKUPS = 20;
const WARM_UP = 5;
const MAX_ADDED_MS = 10;
/** Lets the answer play to its end. */
const BETWEEN_MS = 700;
const NO_ANSWER_MS = 10_000;

/**
 * What a live call's tool call takes beyond the vendor's own time: parsing the model's words, the bus to the
 * control API and back, finding the tool's settings and sealed credentials, the guarded way out, asking the
 * model again.
 */
export const toolBus: Bench = {
  name: "tool-bus",
  title: "What a tool call takes beyond the vendor's own time",
  run: async (say) => {
    const lookups = await Lookups.start();
    const started: { close(): Promise<void> }[] = [lookups];
    try {
      const stack = await startStack({ gatewayCpu: CPU, othersCpu: OTHERS_CPU });
      started.push(stack);
      const api = await startApi(stack, OTHERS_CPU, {
        ...stack.controlApiEnv,
        DEEPGRAM_API_KEY: "load-test-key",
        INTEGRATION_URLS: `woocommerce=${lookups.shopUrl}`,
      });
      started.push(api);
      const call = await begin(api, lookups);
      started.push({ close: async () => call.terminate() });
      for (let i = 0; i < WARM_UP; i++) await lookUp(call, lookups);
      const rounds: Record<"ours" | "direct", number[][]> = { ours: [], direct: [] };
      for (let round = 0; round < ROUNDS; round++) {
        const pairs = await measure(call, lookups);
        rounds.ours.push(pairs.ours);
        rounds.direct.push(pairs.direct);
        say(`round ${round + 1}: ${describe(pairs.ours)}, asked directly: ${describe(pairs.direct)}`);
      }
      return [figure(0.5, rounds), figure(0.99, rounds)];
    } finally {
      for (const part of started.reverse()) await part.close();
    }
  },
};

/** Connects a shop, gives an agent the order lookup, and calls that agent. */
async function begin({ baseUrl, apiKey }: BenchApi, { modelUrl }: Lookups): Promise<WebSocket> {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { "x-api-key": apiKey, "content-type": "application/json" };
    const response = await fetch(baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const credentials = { consumerKey: `ck_${"0".repeat(40)}`, consumerSecret: `cs_${"0".repeat(40)}` };
  const shop = {
    providerId: "woocommerce",
    credentials,
    settings: { url: "https://shop.example" },
    verify: false,
  };
  const { connection } = await post("/api/v1/integrations/connections", shop);
  const connectionId = (connection as { id: string }).id;
  const tools = [{ kind: "connector", name: "find", capability: "order.lookup", connectionId }];
  const agent = await post("/api/agents", {
    name: "Shopkeeper",
    brain: { kind: "model", model: "m", prompt: "Look orders up.", url: modelUrl, tools },
    tts: [{ vendor: "deepgram" }],
    silence: { promptAfterMs: 0, hangupAfterMs: 0 },
  });
  const { id: agentId } = agent.data as { id: string };
  const session = await post("/api/sessions/init-web-call", { agentId });
  const { websocketUrl } = session.data as { websocketUrl: string };
  const socket = new WebSocket(websocketUrl, { perMessageDeflate: false });
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "start" }));
  await pause(BETWEEN_MS);
  return socket;
}

/** Pairs each of the call's lookups with a direct one, so that the machine's other load affects both. */
async function measure(call: WebSocket, lookups: Lookups): Promise<{ ours: number[]; direct: number[] }> {
  const pairs = { ours: [] as number[], direct: [] as number[] };
  for (let i = 0; i < LOOKUPS; i++) {
    pairs.ours.push(addedMs(await lookUp(call, lookups)));
    pairs.direct.push(addedMs(lookups.timesOf(await lookups.askDirectly())));
  }
  return pairs;
}

async function lookUp(call: WebSocket, lookups: Lookups): Promise<LookupTimes | undefined> {
  const { number, text } = lookups.ask();
  call.send(JSON.stringify({ type: "text", text }));
  const untilMs = performance.now() + NO_ANSWER_MS;
  while (!lookups.timesOf(number) && performance.now() < untilMs) await pause(20);
  await pause(BETWEEN_MS);
  return lookups.timesOf(number);
}

function addedMs(times: LookupTimes | undefined): number {
  if (!times) throw new Error("a lookup was not answered: no figure is made of those that were");
  return times.told - times.asked - (times.vendorAnswered - times.vendorAsked);
}

function figure(q: number, { ours, direct }: Record<"ours" | "direct", readonly number[][]>): Figure {
  const value = spreadOf(ours.map((round) => quantileOf(round, q)));
  const target = { text: `under ${MAX_ADDED_MS} ms`, holds: value.median < MAX_ADDED_MS };
  return {
    id: `tool-bus.added-p${q * 100}`,
    title: `a tool call beyond the vendor's own time, p${q * 100}`,
    unit: "ms",
    better: "lower",
    ours: value,
    limit: {
      name: "the vendor asked by a bare fetch",
      value: spreadOf(direct.map((round) => quantileOf(round, q))),
    },
    ...(q === 0.5 ? { target } : {}),
  };
}

function quantileOf(values: readonly number[], q: number): number {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram.quantile(q);
}

function describe(values: readonly number[]): string {
  return `p50 ${quantileOf(values, 0.5).toFixed(1)}, p99 ${quantileOf(values, 0.99).toFixed(1)} ms`;
}
