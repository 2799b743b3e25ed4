import { type Child, startChild } from "../../stack/child.ts";
import { usageOf } from "../../stack/process-usage.ts";
import { startStack } from "../../stack/stack.ts";
import type { Bench, Figure, Spread } from "../harness/figure.ts";
import { interleaved } from "../harness/rounds.ts";
import { type BenchApi, startApi } from "./control-api.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const ROUNDS = 3;
const SECONDS = 2;
const CONNECTIONS = 32;
const MIN_OF_LIMIT = 0.6;

/** Requests per second of the server's CPU time: what one fully used core would answer. */
export const api: Bench = {
  name: "api",
  title: "The control API with a key, one pinned core (requests a second of CPU time)",
  run: async (say) => {
    const stack = await startStack({ othersCpu: OTHERS_CPU, gatewayCpu: OTHERS_CPU });
    const started: { close(): Promise<void> }[] = [stack];
    try {
      const ours = await startApi(stack, CPU);
      started.push(ours);
      const bare = await startBare(ours);
      started.push({ close: async () => void (await bare.stop()) });
      const measure = (name: string, child: Child, order: Order) => async (round: number) => {
        const perSec = await load(child, order);
        say(`round ${round + 1}, ${name}: ${perSec.toFixed(0)} a CPU-second`);
        return perSec;
      };
      const { apiKey, agentId, baseUrl } = ours;
      const me = { path: "/api/v1/me", method: "GET", apiKey, body: "" } as const;
      const body = JSON.stringify({ agentId });
      const create = { path: "/api/sessions/init-web-call", method: "POST", apiKey, body } as const;
      const contest = await interleaved(ROUNDS, {
        me: measure("GET /api/v1/me", ours.child, { ...me, baseUrl }),
        limit: measure("bare Fastify", bare, { ...me, baseUrl: bare.ready[0] ?? "" }),
        create: measure("session creation", ours.child, { ...create, baseUrl }),
      });
      return figures(contest);
    } finally {
      for (const part of started.reverse()) await part.close();
    }
  },
};

async function startBare({ baseUrl, apiKey }: BenchApi): Promise<Child> {
  const answer = await fetch(`${baseUrl}/api/v1/me`, { headers: { "x-api-key": apiKey } });
  return startChild({
    command: [process.execPath, "loadtest/bench/api/bare-process.ts", await answer.text()],
    cpu: CPU,
    ready: /ready at (http:\S+)/,
  });
}

interface Order {
  readonly baseUrl: string;
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly apiKey: string;
  readonly body: string;
}

async function load(server: Child, { baseUrl, path, ...rest }: Order): Promise<number> {
  const order = { url: baseUrl + path, ...rest, connections: CONNECTIONS, seconds: SECONDS };
  const before = usageOf(server.pid);
  const loader = await startChild({
    command: [process.execPath, "loadtest/bench/api/load-process.ts", JSON.stringify(order)],
    cpu: OTHERS_CPU,
    ready: /answered (\d+)/,
  });
  const { cpuMs } = usageOf(server.pid);
  await loader.stop();
  return Number(loader.ready[0]) / ((cpuMs - before.cpuMs) / 1_000);
}

function figures({ me, limit, create }: Record<"me" | "limit" | "create", Spread>): Figure[] {
  const unit = "a CPU-second";
  return [
    {
      id: "api.me",
      title: "GET /api/v1/me with a key",
      unit,
      better: "higher",
      ours: me,
      limit: { name: "bare Fastify", value: limit },
      target: {
        text: `at least ${MIN_OF_LIMIT} of bare Fastify`,
        holds: me.median >= MIN_OF_LIMIT * limit.median,
      },
    },
    { id: "api.create", title: "web-call session created", unit, better: "higher", ours: create },
  ];
}
