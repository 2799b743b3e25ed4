import { AGENT_DELETED_CHANNEL } from "@parley/shared/contracts/agent-deleted.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { type FakeDeepgram, startFakeDeepgram } from "../../testkit/fakes/speech/deepgram.ts";
import { createFliteVoice } from "../../testkit/fakes/speech/fake-speech.ts";
import { TestGateway } from "../../testkit/gateway.ts";

const GREETING = "Hello there.";
const FALLBACK = "Pardon me.";

let gateway: TestGateway;
let vendor: FakeDeepgram;
let brain: TestBrain;
beforeAll(async () => {
  vendor = await startFakeDeepgram({ apiKey: "key", voice: createFliteVoice() });
  gateway = await TestGateway.start({ env: { DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: vendor.url } });
  brain = await TestBrain.start((turn) => {
    if (turn.request.query === "Fail.") turn.res.writeHead(500).end();
    else {
      turn.token("All right.");
      turn.done();
    }
  });
});
afterAll(async () => {
  brain.close();
  await gateway.close();
  await vendor.close();
});

/** Calls an agent and hears it greet; gives how often its vendor was asked for each text meanwhile. */
async function call(agentId: string, ask?: string): Promise<(text: string) => number> {
  const before = vendor.asked.texts.length;
  const { websocketUrl } = await gateway.createSession({
    agentId,
    brain: { url: brain.url, fallbackLine: FALLBACK },
    tts: [{ vendor: "deepgram" }],
    firstResponse: GREETING,
  });
  const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
  expect(await caller.said("assistant")).toMatchObject({ text: GREETING });
  if (ask !== undefined) {
    caller.send({ type: "text", text: ask });
    await caller.said("assistant");
  }
  expect(caller.heard().length).toBeGreaterThan(0);
  caller.send({ type: "hangup" });
  await caller.untilClosed();
  // Other lines may have been asked for, to be kept.
  const texts = vendor.asked.texts.slice(before);
  return (text) => texts.filter((asked) => asked === text).length;
}

describe("what an agent says in every call", () => {
  it("is spoken by its vendor once, and the brain's answers each time", async () => {
    const first = await call("agt_kept", "Hi.");
    expect([first(GREETING), first("All right.")]).toEqual([1, 1]);
    const second = await call("agt_kept", "Hi.");
    expect([second(GREETING), second("All right.")]).toEqual([0, 1]);
    const other = await call("agt_other");
    expect(other(GREETING)).toBe(1);
    const { values } = await gateway.metrics.keptSpeechTotal.get();
    expect(values.find(({ labels }) => labels.outcome === "hit")?.value).toBe(1);
  });

  it("is heard while the vendor is away, the fallback line as well", async () => {
    await call("agt_away", "Fail.");
    vendor.faults.set({ kind: "status", status: 503 });
    await call("agt_away", "Fail.");
    vendor.faults.clear();
  });

  it("is forgotten with the agent", async () => {
    await call("agt_deleted");
    const deleted = JSON.stringify({ orgId: "org_test", agentId: "agt_deleted" });
    await gateway.bus.channels.publish(AGENT_DELETED_CHANNEL, deleted);
    const after = await call("agt_deleted");
    expect(after(GREETING)).toBe(1);
  });
});
