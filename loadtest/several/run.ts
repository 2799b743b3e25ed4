import { pause } from "../bench/harness/pause.ts";
import { Fleet } from "../callers/fleet.ts";
import { DEFAULT_SCRIPT } from "../callers/script.ts";
import type { Tally } from "../callers/tally.ts";
import type { StackGateway } from "../stack/stack.ts";
import { endsOf, type RecordedEnds } from "./records.ts";
import { type PlacedCall, startWorld, type World, type WorldOptions } from "./world.ts";

/** Calls that are begun a second. */
const CALLS_PER_SEC = 10;
/** Before a caller whose gateway does not answer calls again. */
const CALL_AGAIN_MS = 500;
const SETTLE_MS = 3_000;
const LOOK_EVERY_MS = 20;

export interface SeveralOptions extends WorldOptions {
  readonly calls: number;
  /** How long calls run in each of the four parts. */
  readonly seconds: number;
  readonly onProgress: (line: string) => void;
}

/** What became of the calls of several gateways while one was killed, one added, and a control API killed. */
export interface SeveralResult {
  /** Calls by gateway, before anything happened. */
  readonly spread: readonly number[];
  readonly killed: {
    /** Calls it held. */
    readonly held: number;
    /** Calls that broke, on all gateways, until the next part. */
    readonly lost: number;
    /** How often a call was placed on it afterwards, and had to be placed again. */
    readonly placedThere: number;
    /** Ms from the kill to the last of these. */
    readonly lastPlacedThereMs: number;
    /** Ms from the kill until as many calls were up as before. */
    readonly allBackMs: number;
    /** Gateways that Prometheus is told of right afterwards, the killed one included. */
    readonly listed: number;
  };
  readonly added: {
    /** Ms from its start until it answered, until Prometheus is told of it, and until a call was placed on it. */
    readonly readyMs: number;
    readonly listedMs: number;
    readonly firstCallMs: number;
    readonly calls: number;
    readonly placed: number;
  };
  readonly controlApiKilled: {
    readonly placed: number;
    /** The longest that a session took to be made from then on, and before, in ms. */
    readonly slowestMs: number;
    readonly slowestBeforeMs: number;
  };
  /** What the load balancer said where no session was made. */
  readonly failures: readonly string[];
  readonly tally: Tally;
  readonly ends: RecordedEnds;
}

/** Runs the whole: calls up, a gateway killed, one added, a control API killed, and every record read. */
export async function runSeveral(options: SeveralOptions): Promise<SeveralResult> {
  const world = await startWorld(options);
  const callers = await Fleet.start({ calls: 4 * options.calls });
  try {
    return await new Run(options, world, callers).run();
  } finally {
    await callers.close();
    await world.close();
  }
}

class Run {
  readonly #options: SeveralOptions;
  readonly #world: World;
  readonly #callers: Fleet;
  readonly #called: PlacedCall[] = [];
  readonly #dead = new Set<string>();
  readonly #refused: PlacedCall[] = [];
  readonly #failures: string[] = [];

  constructor(options: SeveralOptions, world: World, callers: Fleet) {
    this.#options = options;
    this.#world = world;
    this.#callers = callers;
  }

  async run(): Promise<SeveralResult> {
    const { calls, onProgress } = this.#options;
    const { gateways } = this.#world;
    onProgress(`${calls} calls on ${gateways.length} gateways`);
    await this.#call(calls);
    await this.#hold();
    const spread = gateways.map(({ wsUrl }) => this.#on(wsUrl).length);
    const [victim] = gateways;
    if (!victim) throw new Error("there is no gateway");
    const killed = await this.#killGateway(victim);
    const added = await this.#addGateway();
    const controlApiKilled = await this.#killControlApi();
    const { tally } = await this.#callers.report();
    onProgress("hanging up");
    await this.#callers.hangUp();
    const lost = this.#on(victim.wsUrl).map(({ sessionId }) => sessionId);
    const kept = this.#called.map(({ sessionId }) => sessionId).filter((id) => !lost.includes(id));
    const ends = await endsOf({ lost, kept }, this.#world.database);
    return { spread, killed, added, controlApiKilled, failures: this.#failures, tally, ends };
  }

  async #killGateway({ process, wsUrl }: StackGateway): Promise<SeveralResult["killed"]> {
    const { onProgress } = this.#options;
    const held = this.#on(wsUrl).length;
    onProgress(`killing a gateway that holds ${held} calls`);
    this.#dead.add(wsUrl);
    process.kill("SIGKILL");
    const atMs = performance.now();
    const listed = await this.#world.countListed();
    // Their callers call again.
    await this.#call(held);
    const allBackMs = performance.now() - atMs;
    await this.#hold();
    const { tally } = await this.#callers.report();
    const lastPlacedThereMs = (this.#refused.at(-1)?.atMs ?? atMs) - atMs;
    const placedThere = this.#refused.length;
    return { held, lost: tally.counts.callsLost, placedThere, lastPlacedThereMs, allBackMs, listed };
  }

  async #addGateway(): Promise<SeveralResult["added"]> {
    this.#options.onProgress("adding a gateway");
    const listedBefore = await this.#world.countListed();
    const atMs = performance.now();
    const { wsUrl } = await this.#world.addGateway();
    const readyMs = performance.now() - atMs;
    while ((await this.#world.countListed()) <= listedBefore) await pause(LOOK_EVERY_MS);
    const listedMs = performance.now() - atMs;
    const placed = Math.ceil(this.#options.calls / 2);
    await this.#call(placed);
    const there = this.#on(wsUrl);
    await this.#hold();
    const firstCallMs = (there[0]?.atMs ?? Number.NaN) - atMs;
    return { readyMs, listedMs, firstCallMs, calls: there.length, placed };
  }

  async #killControlApi(): Promise<SeveralResult["controlApiKilled"]> {
    this.#options.onProgress("killing a control API");
    const before = this.#called.length;
    this.#world.controlApis[0]?.process.kill("SIGKILL");
    const placed = Math.ceil(this.#options.calls / 2);
    await this.#call(placed);
    await this.#hold();
    const slowest = (calls: readonly PlacedCall[]) => Math.max(...calls.map(({ tookMs }) => tookMs));
    return {
      placed,
      slowestMs: slowest(this.#called.slice(before)),
      slowestBeforeMs: slowest(this.#called.slice(0, before)),
    };
  }

  /** Begins calls at a steady rate. One that is placed on a gateway that is gone is placed again. */
  async #call(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const placed = await this.#placeUntilTaken();
      this.#called.push(placed);
      this.#callers.call(placed.websocketUrl, { ...DEFAULT_SCRIPT, firstAfterMs: 0 });
      await pause(1_000 / CALLS_PER_SEC);
    }
  }

  async #placeUntilTaken(): Promise<PlacedCall> {
    for (;;) {
      const placed = await this.#world.place();
      if (typeof placed === "string") this.#failures.push(placed);
      else if (this.#dead.has(placed.gateway)) this.#refused.push(placed);
      else return placed;
      await pause(CALL_AGAIN_MS);
    }
  }

  #on(wsUrl: string): PlacedCall[] {
    return this.#called.filter(({ gateway }) => gateway === wsUrl);
  }

  #hold(): Promise<void> {
    return pause(SETTLE_MS + this.#options.seconds * 1_000);
  }
}
