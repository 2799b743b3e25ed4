import { availableParallelism } from "node:os";
import type { Campaign } from "@parley/shared/contracts/campaigns.ts";
import { Fleet } from "../../callers/fleet.ts";
import { DEFAULT_SCRIPT } from "../../callers/script.ts";
import { scrape } from "../../run/gateway-metrics.ts";
import { usageOf } from "../../stack/process-usage.ts";
import { type StackGateway, startStack } from "../../stack/stack.ts";
import { startApi } from "../api/control-api.ts";
import { SPREAD_MS } from "../call-cpu/contestants.ts";
import { type Bench, type Figure, spreadOf } from "../harness/figure.ts";
import { pause } from "../harness/pause.ts";
import { onCpu } from "../harness/pin.ts";
import { startRecognizer } from "../quiet-line/recognizer.ts";
import { CALLS_PER_MINUTE, LEAD_IN_MS, ROUNDS, SIZE, WINDOW_MS } from "./size.ts";
import { CampaignWorld } from "./world.ts";

/** With two cores, the gateway has one for itself. With more, nothing is pinned: one core does not hold the callers. */
const PINS = availableParallelism() > 2 ? undefined : { gatewayCpu: 0, othersCpu: 1 };
const CALL_EVERY_MS = 50;
/** No interruptions, so that each answer's delay belongs to one turn. */
const SCRIPT = { ...DEFAULT_SCRIPT, interruptEvery: 0 };
/** Of the p95 with the campaign to that without (docs/performance.md#while-a-campaign-dials says why). */
const MAX_RATIO = 1.25;
const MIN_PACE = 0.95;
/** Callers whose own clock is later measure the machine they share, not Parley. */
const MAX_LAG_MS = 15;
const CALLS_END_WITHIN_MS = 60_000;
/** For the targets that are left: as slow as a third of the pace. */
const DONE_WITHIN_MS = 60_000 + SIZE.targets * 300;
const KEYS = { OPENAI_API_KEY: "load-test-key", DEEPGRAM_API_KEY: "load-test-key" };

const SIDES = ["alone", "campaign"] as const;
type Side = (typeof SIDES)[number];

interface Measured {
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Answers that were waited for. */
  readonly answers: number;
  /** p99 of how late the callers' own clock ran: delays are no more precise. */
  readonly lagMs: number;
  /** p99 of how late the gateway's event loop was. */
  readonly loopMs: number;
  /** The gateway's share of one core. */
  readonly core: number;
  /** Targets dialed a minute. */
  readonly pace: number;
}
type Rounds = Record<Side, Measured[]>;

interface Parts {
  readonly world: CampaignWorld;
  readonly fleet: Fleet;
  readonly gateway: StackGateway;
}

/** Whether live calls wait longer for their answers while a campaign dials from the same processes. */
export const campaign: Bench = {
  name: "campaign",
  title: `${SIZE.calls} live calls while a campaign dials ${SIZE.targets} targets, ${CALLS_PER_MINUTE} a minute`,
  needsPostgres: true,
  run: (say) => (PINS ? onCpu(PINS.othersCpu, () => measureAll(say)) : measureAll(say)),
};

async function measureAll(say: (line: string) => void): Promise<Figure[]> {
  const recognizer = await startRecognizer();
  const started: { close(): Promise<void> }[] = [recognizer];
  try {
    const gatewayEnv = { ...KEYS, OPENAI_BASE_URL: recognizer.url };
    const stack = await startStack({ ...PINS, brain: { BRAIN_WORDS: "8" }, gatewayEnv });
    started.push(stack);
    const api = await startApi(stack, PINS?.othersCpu, { ...stack.controlApiEnv, ...KEYS });
    started.push(api);
    const [gateway] = stack.gateways;
    if (!gateway) throw new Error("the stack has no gateway");
    const world = await CampaignWorld.start(api.baseUrl, stack.brainUrl);
    await world.createCampaign(SIZE.targets);
    const fleet = await Fleet.start({ calls: SIZE.calls, cpu: PINS?.othersCpu });
    started.push(fleet);
    await openCalls(world, fleet);
    const measured = await rounds({ world, fleet, gateway }, say);
    const { targets } = await finish(world);
    say(`each of ${targets.total} targets has an outcome: ${JSON.stringify(targets.outcomes)}`);
    return figuresOf(measured);
  } finally {
    for (const part of started.reverse()) await part.close();
  }
}

/** Opens the calls that talk to the end, out of step. */
async function openCalls(world: CampaignWorld, fleet: Fleet): Promise<void> {
  for (let i = 0; i < SIZE.calls; i++) {
    fleet.call(await world.newCall(), { ...SCRIPT, firstAfterMs: (i * SPREAD_MS) / SIZE.calls });
    await pause(CALL_EVERY_MS);
  }
  await pause(SPREAD_MS);
}

/** Measures both sides in turn on the same calls; the order alternates between rounds. */
async function rounds(parts: Parts, say: (line: string) => void): Promise<Rounds> {
  const measured: Rounds = { alone: [], campaign: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const one = side === "campaign" ? await whileDialing(parts) : await measure(parts);
      measured[side].push(one);
      say(`round ${round + 1}, ${side}: ${describe(one)}`);
    }
  }
  return measured;
}

/** Measures while the campaign dials; the calls it made are over afterwards. */
async function whileDialing(parts: Parts): Promise<Measured> {
  const { world } = parts;
  await world.dial();
  await pause(LEAD_IN_MS);
  const measured = await measure(parts);
  await world.rest();
  await world.until(({ targets }) => targets.calling === 0, CALLS_END_WITHIN_MS);
  return measured;
}

async function measure({ world, fleet, gateway }: Parts): Promise<Measured> {
  const before = await dialedBy(world);
  // What the loop did until now is forgotten once it is read.
  await scrape(gateway.httpUrl);
  const cpuBeforeMs = usageOf(gateway.pid).cpuMs;
  fleet.measure();
  await pause(WINDOW_MS);
  const { tally, lag } = await fleet.report();
  const cpuMs = usageOf(gateway.pid).cpuMs - cpuBeforeMs;
  const loopSecs = (await scrape(gateway.httpUrl)).get("parley_event_loop_lag_seconds") ?? 0;
  const after = await dialedBy(world);
  const { response } = tally.times;
  const { callsLost, callsFailed } = tally.counts;
  // Those that are left would have it easier.
  if (fleet.live < SIZE.calls || callsLost + callsFailed > 0)
    throw new Error(
      `${fleet.live} of ${SIZE.calls} calls are up: ${JSON.stringify(tally.complaints)}; try fewer (docs/performance.md)`,
    );
  return {
    p50Ms: response.quantile(0.5),
    p95Ms: response.quantile(0.95),
    answers: response.count,
    lagMs: lag.quantile(0.99),
    loopMs: loopSecs * 1_000,
    core: cpuMs / WINDOW_MS,
    pace: ((after.dialed - before.dialed) * 60_000) / (after.atMs - before.atMs),
  };
}

async function dialedBy(world: CampaignWorld): Promise<{ dialed: number; atMs: number }> {
  const { targets } = await world.campaign();
  return { dialed: targets.total - targets.waiting, atMs: performance.now() };
}

/** Lets the campaign call whom it has left. Throws unless each target comes to its outcome. */
async function finish(world: CampaignWorld): Promise<Campaign> {
  await world.dial();
  const done = await world.until(({ status }) => status !== "running", DONE_WITHIN_MS);
  const outcomes = Object.values(done.targets.outcomes).reduce((sum, count) => sum + count, 0);
  if (done.status !== "done" || outcomes !== SIZE.targets)
    throw new Error(`the campaign did not come to its end: ${JSON.stringify(done)}`);
  return done;
}

function describe({ p50Ms, p95Ms, answers, lagMs, loopMs, core, pace }: Measured): string {
  return (
    `answered after ${p50Ms.toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} ms (${answers}), ` +
    `${pace.toFixed(0)} dialed a minute, gateway ${(core * 100).toFixed(0)} % of a core and ${loopMs.toFixed(1)} ms late, ` +
    `callers ${lagMs.toFixed(1)} ms late, p99`
  );
}

function figuresOf({ alone, campaign: dialing }: Rounds): Figure[] {
  const sides = (value: (one: Measured) => number) => ({
    ours: spreadOf(dialing.map(value)),
    limit: { name: "the same calls, no campaign", value: spreadOf(alone.map(value)) },
  });
  const p95 = sides(({ p95Ms }) => p95Ms);
  const lag = sides(({ lagMs }) => lagMs);
  const pace = spreadOf(dialing.map((one) => one.pace));
  const common = { better: "lower", unit: "ms" } as const;
  return [
    {
      ...{ ...common, id: "campaign.p50", title: `last voice to the answer, p50, ${SIZE.calls} calls` },
      ...sides(({ p50Ms }) => p50Ms),
    },
    {
      ...{ ...common, id: "campaign.p95", title: `last voice to the answer, p95, ${SIZE.calls} calls` },
      ...p95,
      target: {
        text: `at most ${MAX_RATIO} × without`,
        holds: p95.ours.median <= p95.limit.value.median * MAX_RATIO,
      },
    },
    {
      ...{ ...common, id: "campaign.loop", title: "how late the gateway's event loop was, p99" },
      ...sides(({ loopMs }) => loopMs),
    },
    {
      ...{ ...common, id: "campaign.lag", title: "how late the callers' own clock ran, p99" },
      ...lag,
      target: {
        text: `under ${MAX_LAG_MS} ms, or the delays above are the callers' own`,
        holds: lag.ours.median < MAX_LAG_MS,
      },
    },
    {
      id: "campaign.pace",
      title: `targets dialed a minute, of ${SIZE.targets}`,
      unit: "a minute",
      better: "higher",
      ours: pace,
      limit: { name: "its pacing", value: spreadOf([CALLS_PER_MINUTE]) },
      target: { text: `at least ${MIN_PACE} of it`, holds: pace.median >= MIN_PACE * CALLS_PER_MINUTE },
    },
  ];
}
