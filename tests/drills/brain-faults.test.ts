import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BrainTurn, TestBrain } from "../../testkit/brain.ts";
import { needs } from "../../testkit/needs.ts";
import type { DrillCall } from "./support/drill-call.ts";
import { LoneNode } from "./support/lone-node.ts";
import { metricOf } from "./support/metric-of.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

const FALLBACK = "Let us try that again.";
const WELL = "I hear you.";
/**
 * More than answers that are read in measure take (60 to 140 MiB, by how late garbage is collected); the three endless ones kept
 * whole are more than twice it.
 */
const MAX_GROWTH_BYTES = 192 * 1024 * 1024;
const MAX_LAG_SECS = 2;
/** Of an answer without an end, before the caller interrupts it: 4 s, 20 ms a frame. */
const HEARD_FRAMES = 200;

interface Fault {
  readonly what: string;
  /** What the brain does instead of an answer. */
  readonly answer: (turn: BrainTurn) => void;
  /** What the caller is told. */
  readonly heard: RegExp;
  /** The turn goes on until the caller interrupts it. */
  readonly isEndless?: boolean;
}

/** `text` over and over, as fast as it is read. */
function pour(turn: BrainTurn, text: string): void {
  const { answerBytes } = sizeOf("brainFaults");
  const block = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  turn.res.writeHead(200, { "content-type": "text/event-stream" });
  const blocks = Array.from({ length: Math.ceil(answerBytes / block.length) }, () => block);
  Readable.from(blocks).pipe(turn.res);
}

function drip({ res }: BrainTurn): void {
  const bytes = Buffer.from(`data: "A word that is never whole"\n\n`);
  res.writeHead(200, { "content-type": "text/event-stream" });
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < bytes.length) res.write(bytes.subarray(sent, ++sent));
  }, 1_000);
  res.on("close", () => clearInterval(timer));
}

const FAULTS: readonly Fault[] = [
  { what: "never answers", answer: () => undefined, heard: /^Let us try that again\.$/ },
  {
    what: "resets before its answer",
    answer: ({ res }) => res.destroy(),
    heard: /^Let us try that again\.$/,
  },
  {
    what: "resets in the middle of its answer",
    answer: (turn) => {
      turn.token("So much I know. And");
      setTimeout(() => turn.res.destroy(), 200);
    },
    heard: /^So much I know\./,
  },
  {
    what: "stops in the middle of its answer",
    answer: (turn) => turn.token("So much I know. "),
    heard: /^So much I know\.$/,
  },
  { what: "drips a byte a second", answer: drip, heard: /^Let us try that again\.$/ },
  {
    what: "answers 500",
    answer: ({ res }) => res.writeHead(500).end("Internal error"),
    heard: /^Let us try that again\.$/,
  },
  {
    what: "sends one event without an end",
    answer: (turn) => pour(turn, "data: and on and on "),
    heard: /^Let us try that again\.$/,
  },
  {
    what: "sends comments without an end",
    answer: (turn) => pour(turn, ": still thinking\n\n"),
    heard: /^Let us try that again\.$/,
  },
  {
    what: "sends sentences without an end",
    answer: (turn) => pour(turn, 'data: "And on it goes. "\n\n'),
    heard: /^And on it goes\./,
    isEndless: true,
  },
];

describe.runIf(needs("redis"))("Brains that fail under live calls", () => {
  let node: LoneNode;
  const brains: TestBrain[] = [];
  beforeAll(async () => {
    node = await LoneNode.start();
  });
  afterAll(async () => {
    for (const brain of brains) brain.close();
    await node.remove();
  });

  /** A call whose brain fails as long as the caller says "fail", and is well again after it. */
  async function callOf(answer: Fault["answer"]): Promise<DrillCall> {
    const brain = await TestBrain.start((turn) => {
      if (turn.request.query === "fail") return answer(turn);
      turn.token(WELL);
      turn.done();
    });
    brains.push(brain);
    const { patienceMs } = sizeOf("brainFaults");
    return node.call({
      brain: {
        url: brain.url,
        firstTokenTimeoutMs: patienceMs,
        idleTimeoutMs: patienceMs,
        fallbackLine: FALLBACK,
      },
    });
  }

  async function live(call: DrillCall, fault: Fault): Promise<void> {
    const { caller } = call;
    await call.ask("Can you hear me?");
    caller.send({ type: "text", text: "fail" });
    if (fault.isEndless) {
      await caller.next("state", ({ state }) => state === "speaking");
      await expect.poll(() => caller.audio.length, { timeout: DRILL.timeout }).toBeGreaterThan(HEARD_FRAMES);
      caller.send({ type: "text", text: "stop" });
    }
    expect((await caller.said("assistant")).text).toMatch(fault.heard);
    if (fault.isEndless) expect((await caller.said("assistant")).text).toBe(WELL);
    await call.ask("And now?");
    expect(call.said.at(-1)).toBe(WELL);
  }

  it("cost each caller one answer, and nobody else anything", DRILL, async () => {
    const steady = await callOf(() => undefined);
    await steady.ask("Can you hear me?");
    const calls = await Promise.all(FAULTS.map(({ answer }) => callOf(answer)));
    const bytesBefore = await metricOf(node, "process_resident_memory_bytes");
    let mostBytes = 0;
    let areOver = false;
    const watchSteady = async (): Promise<void> => {
      while (!areOver) {
        await steady.ask("And you?");
        mostBytes = Math.max(mostBytes, await metricOf(node, "process_resident_memory_bytes"));
        expect(await metricOf(node, "parley_event_loop_lag_seconds")).toBeLessThan(MAX_LAG_SECS);
      }
    };
    const faults = FAULTS.map((fault, index) => live(calls[index] as DrillCall, fault));
    const over = Promise.all(faults).finally(() => {
      areOver = true;
    });
    await Promise.all([over, watchSteady()]);
    expect(mostBytes - bytesBefore).toBeLessThan(MAX_GROWTH_BYTES);
    expect(new Set(steady.said.filter((_, index) => index % 2 === 1))).toEqual(new Set([WELL]));
    const closed = await Promise.all([steady, ...calls].map((call) => call.hangUp()));
    expect(new Set(closed.map(({ code }) => code))).toEqual(new Set([1000]));
  });
});
