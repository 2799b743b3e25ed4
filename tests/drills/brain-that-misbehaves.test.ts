import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type BrainTurn, TestBrain } from "../support/brain.ts";
import { TestCaller } from "../support/caller.ts";
import { TestGateway } from "../support/gateway.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

const FALLBACK = "Sorry, something went wrong.";
const HEALTHY = "I hear you.";
const BEGUN = "Here is the first half. ";
/** Heap and buffers of the gateway, callers and brain, which share this process; far below what is sent. */
const MAX_GROWTH_BYTES = 80 * 1024 * 1024;
const SENT_BYTES = 100 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/** A turn's fault; `said` is what the caller hears of it. */
const FAULTS: { name: string; said: string; fail: (turn: BrainTurn) => void }[] = [
  { name: "hangs", said: FALLBACK, fail: () => undefined },
  { name: "answers 500", said: FALLBACK, fail: ({ res }) => res.writeHead(500).end("broken") },
  {
    name: "resets the connection before a word",
    said: FALLBACK,
    fail: ({ res }) => res.socket?.resetAndDestroy(),
  },
  { name: "drips one byte a second", said: FALLBACK, fail: drip },
  { name: "sends 100 MB without an end", said: FALLBACK, fail: flood },
];

function drip({ res, aborted }: BrainTurn): void {
  res.writeHead(200, { "content-type": "text/event-stream" });
  const bytes = [...'data: "A very slow answer."\n\n'];
  const timer = setInterval(() => res.write(bytes.shift() ?? ":"), 1_000);
  void aborted.then(() => clearInterval(timer));
}

function flood({ res }: BrainTurn): void {
  res.writeHead(200, { "content-type": "text/event-stream" });
  const piece = "x".repeat(PIECE_BYTES);
  let sent = 0;
  const more = (): void => {
    while (sent < SENT_BYTES && !res.destroyed) {
      sent += PIECE_BYTES;
      if (!res.write(piece)) return;
    }
  };
  res.on("drain", more);
  more();
}

function answer(turn: BrainTurn): void {
  turn.token(HEALTHY);
  turn.done();
}

/** Samples what this process holds, so that a peak between two turns counts, too. */
function watchMemory(): { peakGrowthBytes: () => number } {
  const heldBytes = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = heldBytes();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, heldBytes());
  }, 20);
  return {
    peakGrowthBytes: () => {
      clearInterval(timer);
      return Math.max(peak, heldBytes()) - before;
    },
  };
}

describe("a brain that misbehaves", () => {
  let gateway: TestGateway;
  const brains: TestBrain[] = [];
  beforeAll(async () => {
    gateway = await TestGateway.start();
  });
  afterAll(() => gateway.close());
  afterEach(() => {
    for (const brain of brains.splice(0)) brain.close();
  });

  async function callWith(respond: (turn: BrainTurn) => void): Promise<TestCaller> {
    const brain = await TestBrain.start(respond);
    brains.push(brain);
    const { websocketUrl } = await gateway.createSession({
      brain: { url: brain.url, firstTokenTimeoutMs: 2_000, idleTimeoutMs: 2_000, fallbackLine: FALLBACK },
    });
    return TestCaller.start(websocketUrl, { acknowledges: true });
  }

  /** What the agent said to a turn, once it was spoken. */
  async function ask(caller: TestCaller, text: string): Promise<string> {
    const heardBefore = caller.audio.length;
    caller.send({ type: "text", text });
    const said = await caller.said("assistant", 30_000);
    expect(caller.audio.length).toBeGreaterThan(heardBefore);
    return said.text;
  }

  it.each(FAULTS)("that $name costs one turn of one call", DRILL, async ({ said, fail }) => {
    const { calls: count } = sizeOf("brainMisbehaves");
    const others = await Promise.all(Array.from({ length: count }, () => callWith(answer)));
    const caller = await callWith((turn) => (turn.request.query === "fail" ? fail(turn) : answer(turn)));
    const memory = watchMemory();
    const failed = ask(caller, "fail");
    const answers = await Promise.all(others.map((other) => ask(other, "Are you there?")));
    expect(answers).toEqual(others.map(() => HEALTHY));
    expect(await failed).toBe(said);
    expect(memory.peakGrowthBytes()).toBeLessThan(MAX_GROWTH_BYTES);
    expect(await ask(caller, "And now?")).toBe(HEALTHY);
    for (const each of [...others, caller]) each.drop();
  });

  it("that resets the connection in mid-answer is heard as far as it came", DRILL, async () => {
    const caller = await callWith((turn) => {
      if (turn.request.query !== "fail") return answer(turn);
      turn.token(BEGUN);
      void caller
        .next("state", ({ state }) => state === "speaking")
        .then(() => turn.res.socket?.resetAndDestroy());
    });
    expect(await ask(caller, "fail")).toContain(BEGUN.trim());
    expect(await ask(caller, "And now?")).toContain(HEALTHY);
    caller.drop();
  });
});
