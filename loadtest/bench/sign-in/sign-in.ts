import { type Child, startChild } from "../../stack/child.ts";
import { startStack } from "../../stack/stack.ts";
import { startApi } from "../api/control-api.ts";
import type { Bench, Figure, Spread } from "../harness/figure.ts";
import { pause } from "../harness/pause.ts";
import { interleaved } from "../harness/rounds.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const ROUNDS = 3;
const USERS = 200;
const PASSWORD = "a password for the bench";
const IDLE_MS = 1_000;
const MAX_LAG_MS = 50;
const LAG = /^parley_event_loop_lag_seconds (\S+)$/m;

/** A server that people can sign in to. */
interface Door {
  readonly baseUrl: string;
  readonly emails: readonly string[];
}

/** How much a storm of sign-ins delays the process's other work. */
export const signIn: Bench = {
  name: "sign-in",
  title: `${USERS} people sign in at once, one pinned core (event-loop delay, p99)`,
  run: async (say) => {
    const stack = await startStack({ othersCpu: OTHERS_CPU, gatewayCpu: OTHERS_CPU });
    const started: { close(): Promise<void> }[] = [stack];
    try {
      const ours = await startApi(stack, CPU);
      started.push(ours);
      const bare = await startAfternoon();
      started.push({ close: async () => void (await bare.stop()) });
      const emails = Array.from({ length: USERS }, (_, i) => `bench-${i}@example.com`);
      for (const [i, email] of emails.entries()) await register(ours.baseUrl, email, i);
      say(`${USERS} accounts are made`);
      const idle = async (): Promise<number> => {
        await lagMs(ours.baseUrl);
        await pause(IDLE_MS);
        return lagMs(ours.baseUrl);
      };
      const contest = await interleaved(ROUNDS, {
        ours: storm("Parley", { baseUrl: ours.baseUrl, emails }, say),
        limit: idle,
        peer: storm("afternoon", { baseUrl: bare.ready[0] ?? "", emails }, say),
      });
      return [asFigure(contest)];
    } finally {
      for (const part of started.reverse()) await part.close();
    }
  },
};

function startAfternoon(): Promise<Child> {
  return startChild({
    command: [process.execPath, "loadtest/bench/sign-in/afternoon-process.ts", PASSWORD],
    cpu: CPU,
    ready: /ready at (http:\S+)/,
  });
}

function storm(name: string, { baseUrl, emails }: Door, say: (line: string) => void) {
  return async (round: number): Promise<number> => {
    await lagMs(baseUrl);
    const startedMs = performance.now();
    const statuses = await Promise.all(emails.map((email, i) => post(baseUrl, "login", { email, i })));
    const tookMs = performance.now() - startedMs;
    const lag = await lagMs(baseUrl);
    const refused = statuses.filter((status) => status !== 200).length;
    if (refused > 0) throw new Error(`${name}: ${refused} of ${emails.length} did not get in`);
    say(`round ${round + 1}, ${name}: ${lag.toFixed(1)} ms, all in after ${(tookMs / 1_000).toFixed(1)} s`);
    return lag;
  };
}

async function register(baseUrl: string, email: string, i: number): Promise<void> {
  const status = await post(baseUrl, "register", { email, i });
  if (status !== 201) throw new Error(`an account could not be made: ${status}`);
}

/** Each user has their own address, as the load balancer would report. */
async function post(
  baseUrl: string,
  path: string,
  { email, i }: { email: string; i: number },
): Promise<number> {
  const response = await fetch(`${baseUrl}/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": `10.0.${i >> 8}.${i & 255}` },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Lag since the last request. */
async function lagMs(baseUrl: string): Promise<number> {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(LAG.exec(metrics)?.[1]) * 1_000;
}

function asFigure({ ours, limit, peer }: Record<"ours" | "limit" | "peer", Spread>): Figure {
  return {
    id: "sign-in.loop-delay",
    title: `event-loop delay, p99, while ${USERS} sign in`,
    unit: "ms",
    better: "lower",
    ours,
    limit: { name: "the same process with nothing to do", value: limit },
    peer: { name: "an afternoon's login, hashing in the handler", value: peer },
    target: { text: `under ${MAX_LAG_MS} ms`, holds: ours.max < MAX_LAG_MS },
  };
}
