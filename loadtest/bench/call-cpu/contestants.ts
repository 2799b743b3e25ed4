import { fileURLToPath } from "node:url";
import { WATCH_LEASE_MS, watchedKey } from "@parley/shared/contracts/stream-frames.ts";
import type { Fleet } from "../../callers/fleet.ts";
import { type CallerScript, DEFAULT_SCRIPT } from "../../callers/script.ts";
import { type Child, startChild } from "../../stack/child.ts";
import { usageOf } from "../../stack/process-usage.ts";
import type { Stack } from "../../stack/stack.ts";
import { pause } from "../harness/pause.ts";

/** Callers start speaking one after another over this time: one exchange. */
export const SPREAD_MS = 12_000;
/** Pause between new calls, to avoid a burst of openings. */
const CALL_EVERY_MS = 4;
const LATE_QUANTILE = 0.99;

/**
 * The gateway without the voice model and noise suppression of the front end, which neither the echo nor the afternoon's
 * gateway has; what these cost is measured on their own (front-end, quiet-line).
 */
export const WITHOUT_FRONT_END = { FRONT_END: "false" } as const;

/** A server that can hold the synthetic callers' calls. */
export interface Contestant {
  readonly pid: number;
  /** The address for one more call. */
  url(): Promise<string>;
}

export function parley({ gateways: [gateway], seeder }: Stack): Contestant {
  if (!gateway) throw new Error("the stack has no gateway");
  return {
    pid: gateway.pid,
    url: async () => (await seeder.create(gateway.wsUrl)).websocketUrl,
  };
}

/** Calls whose frames are published as if each were watched, for a lease longer than a round. */
export function watchedParley(stack: Stack): Contestant {
  const { gateways, seeder, bus } = stack;
  return {
    ...parley(stack),
    url: async () => {
      const { sessionId, websocketUrl } = await seeder.create(gateways[0]?.wsUrl ?? "");
      await bus.keys.set(watchedKey(sessionId), "1", WATCH_LEASE_MS);
      return websocketUrl;
    },
  };
}

/** Starts one of the bench's own servers, which prints `ready at ws://…`. */
export async function ownServer(
  program: string,
  options: { cpu: number; args?: string[] },
): Promise<Child & Contestant> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = await startChild({
    command: [process.execPath, path, ...(options.args ?? [])],
    cpu: options.cpu,
    ready: /ready at (ws:\S+)/,
  });
  return { ...child, url: async () => `${child.ready[0]}/call` };
}

export interface Measured {
  /** CPU time of the server's process, all threads, in µs per second and call. */
  readonly cpuUsPerCallSec: number;
  /** Share of one core. */
  readonly core: number;
  readonly framesInPerCallSec: number;
  readonly framesOutPerCallSec: number;
  /** Share of agent frames less than 20 ms late. */
  readonly onTime: number;
  /**
   * Mean time from the last voice of a caller's sentence to the answer's first audio, and the number of
   * answers.
   */
  readonly responseMs: number;
  readonly responses: number;
  /** How late the callers' own clock ran, p99: what is late by so little is the load generator's. */
  readonly callersLateMs: number;
  readonly live: number;
  readonly callsLost: number;
}

export interface HoldOptions {
  readonly calls: number;
  /** Time from the last call's opening to the measurement; conversations need `SPREAD_MS` to drift out of step. */
  readonly settleMs: number;
  readonly measureMs: number;
  /** Deviations from the callers' default behavior. */
  readonly script?: Partial<CallerScript>;
}

/** Holds `calls` calls on a contestant: opens them, lets them settle, measures, hangs up. */
export async function hold(
  contestant: Contestant,
  fleet: Fleet,
  { calls, settleMs, measureMs, script }: HoldOptions,
): Promise<Measured> {
  for (let i = 0; i < calls; i++) {
    const firstAfterMs = (i * SPREAD_MS) / calls;
    fleet.call(await contestant.url(), { ...DEFAULT_SCRIPT, firstAfterMs, ...script });
    await pause(CALL_EVERY_MS);
  }
  await pause(settleMs);
  fleet.measure();
  const before = usageOf(contestant.pid);
  const startMs = performance.now();
  await pause(measureMs);
  const after = usageOf(contestant.pid);
  const { tally, lag } = await fleet.report();
  const seconds = (performance.now() - startMs) / 1_000;
  const { live } = fleet;
  await fleet.hangUp();
  const cpuMs = after.cpuMs - before.cpuMs;
  const { framesSent, framesHeard, lateOver20, callsLost, callsFailed } = tally.counts;
  return {
    live,
    cpuUsPerCallSec: (cpuMs * 1_000) / (live * seconds),
    core: cpuMs / 1_000 / seconds,
    framesInPerCallSec: framesSent / (live * seconds),
    framesOutPerCallSec: framesHeard / (live * seconds),
    responseMs: tally.times.response.mean,
    responses: tally.times.response.count,
    callersLateMs: lag.quantile(LATE_QUANTILE),
    onTime: framesHeard === 0 ? 1 : 1 - lateOver20 / framesHeard,
    callsLost: callsLost + callsFailed,
  };
}
