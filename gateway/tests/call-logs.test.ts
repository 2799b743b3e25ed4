import { describe, expect, it, onTestFinished } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { TestGateway } from "../../testkit/gateway.ts";

/** Everything the process writes on standard output while `work` runs. */
async function linesOf(work: () => Promise<void>): Promise<Record<string, unknown>[]> {
  const written: string[] = [];
  const write = process.stdout.write;
  process.stdout.write = ((chunk: string | Uint8Array) => {
    written.push(String(chunk));
    return true;
  }) as typeof process.stdout.write;
  try {
    await work();
  } finally {
    process.stdout.write = write;
  }
  const lines = written.join("").split("\n");
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
}

describe("every log line about a call", () => {
  it("has its session id, whatever fails in it", async () => {
    const brain = await TestBrain.start(({ res }) => void res.writeHead(500).end());
    onTestFinished(() => brain.close());
    let sessionId = "";
    const lines = await linesOf(async () => {
      const node = await TestGateway.start({
        env: { LOG_LEVEL: "info", DEEPGRAM_API_KEY: "k-1", DEEPGRAM_URL: "http://127.0.0.1:9" },
      });
      const session = await node.createSession({
        brainUrl: brain.url,
        tts: [{ vendor: "deepgram" }, { vendor: "flite" }],
      });
      sessionId = session.sessionId;
      const caller = await TestCaller.start(session.websocketUrl);
      caller.send({ type: "text", text: "hello" });
      await caller.said("assistant");
      caller.send({ type: "hangup" });
      await node.eventsOf(sessionId);
      await node.close();
    });
    const told = lines.map(({ msg }) => msg);
    expect(lines.filter(({ msg }) => msg === "call ended")).toMatchObject([
      { organizationId: expect.any(String), agentId: expect.any(String), endReason: "hangup", turns: 1 },
    ]);
    for (const line of lines.filter(({ sessionId }) => sessionId !== undefined))
      expect(line).toMatchObject({ organizationId: expect.any(String), agentId: expect.any(String) });
    expect(told).toContain("the brain failed, the fallback line is spoken");
    expect(told).toContain("a speech vendor failed");
    const without = lines.filter((line) => line.sessionId !== sessionId).map(({ msg }) => msg);
    expect(without).toEqual([]);
  });
});
