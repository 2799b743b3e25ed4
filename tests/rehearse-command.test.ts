import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@parley/platform/cli/run.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../testkit/control-api.ts";
import { TestMembers } from "../testkit/members.ts";
import { serve } from "../testkit/model-brain.ts";
import { PASSWORD } from "../testkit/person.ts";

const CALLER = { answers: [{ to: "help", say: "I <3 & you" }] };
const GOOD = { name: "says goodbye", caller: CALLER, criteria: [{ kind: "says", text: "goodbye" }] };
const BAD = { name: "sells", caller: CALLER, criteria: [{ kind: "says", text: "buy now" }] };
const FLOW = {
  start: "hello",
  nodes: [
    { id: "hello", type: "say", text: "Hello, how can I help?" },
    { id: "listen", type: "wait" },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
  edges: [
    { from: "hello", to: "listen" },
    { from: "listen", to: "bye" },
  ],
};

describe("parley rehearse", () => {
  let dir: string;
  let api: TestControlApi;
  let members: TestMembers;
  let agentId: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "parley-rehearse-"));
    api = await TestControlApi.start();
    members = await TestMembers.create(api);
    const { developer } = members.people;
    const body = { name: "Ada", brain: { kind: "flow", flow: FLOW } };
    const made = await developer.call("POST", "/api/agents", body, members.orgId);
    agentId = String((made.body.data as { id: string }).id);
    await writeFile(file("good.json"), JSON.stringify({ scenarios: [GOOD] }));
    await writeFile(file("mixed.json"), JSON.stringify([GOOD, BAD]));
  });
  afterAll(async () => {
    await api.close();
    await rm(dir, { recursive: true, force: true });
  });

  const file = (name: string): string => join(dir, name);
  async function rehearse(args: readonly string[], env: Record<string, string> = {}) {
    let [out, err] = ["", ""];
    const { email } = members.people.developer;
    const code = await run(["rehearse", ...args], {
      env: {
        PARLEY_URL: api.api.baseUrl,
        PARLEY_EMAIL: email,
        PARLEY_PASSWORD: PASSWORD,
        PARLEY_ORG: members.orgId,
        ...env,
      },
      signal: new AbortController().signal,
      out: { write: (text) => (out += text) },
      err: { write: (text) => (err += text) },
    });
    return { code, out, err };
  }

  it("ends well when all went as they should", async () => {
    const { code, out } = await rehearse([agentId, file("good.json")]);
    expect(out).toMatch(
      /^✓ says goodbye \(\d+ turns?\)\n.*good\.json: 1 of 1 passed in [\d.]+ s, version 1\n$/,
    );
    expect(code).toBe(0);
  });

  it("fails when one did not, says by which sentence, and writes what CI reads", async () => {
    const junit = file("report.xml");
    const { code, out } = await rehearse([agentId, file("good.json"), file("mixed.json"), "--junit", junit]);
    expect(code).toBe(1);
    expect(out).toMatch(/✗ sells {2}ses_\S+\n {4}\S.*\n.*1 of 2 passed/);
    const xml = await readFile(junit, "utf8");
    expect(xml.match(/<testcase/g)).toHaveLength(3);
    expect(xml).toMatch(/mixed\.json" tests="2" failures="1"/);
    expect(xml).toMatch(/<failure message="[^"]+">/);
    expect(xml).toContain("Caller: I &lt;3 &amp; you\nAgent: Goodbye.");
  });

  it("holds the agent's own scenarios where no file is named, as those of a template", async () => {
    const { developer } = members.people;
    const path = `/api/orgs/${members.orgId}/templates/survey/agents`;
    const made = await developer.call("POST", path, {}, members.orgId);
    const { code, out } = await rehearse([(made.body.data as { agentId: string }).agentId]);
    expect(out).toMatch(/✓ has no time \(1 turn\)\n.*\nthe agent's own: 3 of 3 passed/s);
    expect(code).toBe(0);
  });

  it("in speech waits for the report, tells of each conversation once, and fails if not all could be held", async () => {
    const speech = {
      ...{ voice: "rms", noise: null, talkedOver: 1, words: { said: 9, wrong: 2 } },
      ...{ responseMs: { p50: 700, p95: 900 }, interruptions: { made: 2, heeded: 1, slowestMs: 300 } },
    };
    const held = {
      ...{ name: "buys", passed: true, sessionId: "ses_1", endReason: "flow_end", turns: 2, slowestMs: 900 },
      ...{ transcript: [{ role: "user", text: "a hair", said: "a chair", turn: 1 }], error: null, speech },
      ...{ criteria: [], path: [], tools: [] },
    };
    const report = { reportId: "rhr_1", agentVersion: 3, passed: 1, total: 2, tookMs: 61_000, error: null };
    const states = [
      { ...report, state: "running", passed: 0, rehearsals: [] },
      { ...report, state: "running", rehearsals: [held] },
      { ...report, state: "failed", rehearsals: [held], error: "No gateway takes calls." },
    ];
    const asked: string[] = [];
    const url = await serve((request, response, body) => {
      asked.push(`${request.method} ${request.url} ${body}`);
      const data = states[Math.min(asked.length, states.length) - 1];
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ success: true, data }));
    });
    const junit = file("speech.xml");
    const args = [agentId, "--speech", "--noise", "cafe:6", "--junit", junit];
    const { code, out, err } = await rehearse(args, { PARLEY_URL: url, PARLEY_TOKEN: "token" });
    expect(err).toBe("");
    const path = `/api/agents/${agentId}/simulations`;
    expect(asked).toEqual([
      `POST ${path} {"mode":"speech","noise":{"sound":"cafe","volumeDb":6}}`,
      `GET ${path}/rhr_1 `,
      `GET ${path}/rhr_1 `,
    ]);
    expect(out.split("\n")).toEqual([
      "✓ buys (2 turns)",
      "    answers after 700 ms (p95 900 ms), 2 of 9 words misheard, stopped at 1 of 2 interruptions, talked over the caller 1 times",
      "    No gateway takes calls.",
      "the agent's own: 1 of 2 passed in 61.0 s, version 3",
      "",
    ]);
    expect(code).toBe(1);
    const xml = await readFile(junit, "utf8");
    expect(xml).toContain('tests="2" failures="1"');
    expect(xml).toContain('<failure message="No gateway takes calls.">');
    expect(xml).toContain("Caller: a hair (said: a chair)");
    expect(xml).toContain("Measured: answers after 700 ms");
  });

  it("writes a line of JSON for each file, for programs", async () => {
    const { code, out } = await rehearse([agentId, file("good.json"), file("mixed.json"), "--json"]);
    const [good, mixed, ...more] = out.split("\n");
    expect(JSON.parse(good ?? "")).toMatchObject({ file: file("good.json"), passed: 1, state: "done" });
    expect(JSON.parse(mixed ?? "")).toMatchObject({ file: file("mixed.json"), passed: 1, total: 2 });
    expect([code, more]).toEqual([1, [""]]);
  });

  it("says what to change when a flag or a credential is wrong", async () => {
    const somewhere = await rehearse([agentId, "--noise", "beach"]);
    expect(somewhere).toMatchObject({
      code: 2,
      err: expect.stringContaining("--noise is office, cafe, call-center"),
    });
    expect(await rehearse([agentId, "--noise", "cafe:loud"])).toMatchObject({ code: 2 });
    expect(await rehearse([agentId, "--speak"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("--speak"),
    });
    const stale = await rehearse([agentId, file("good.json")], { PARLEY_TOKEN: "stale" });
    expect(stale).toMatchObject({ code: 2, err: expect.stringContaining("PARLEY_TOKEN") });
    expect(stale.err).not.toContain("PARLEY_API_KEY");
    const nowhere = await rehearse([agentId, file("good.json"), "--junit", file("none/report.xml")]);
    expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining("cannot be written") });
  });

  it("says what to change when it cannot begin", async () => {
    expect(await rehearse([])).toMatchObject({ code: 2, err: expect.stringContaining("Name an agent") });
    expect(await rehearse([agentId])).toMatchObject({ err: expect.stringContaining("rehearsals.scenarios") });
    const missing = await rehearse([agentId, file("none.json")]);
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("cannot be read") });
    const wrong = await rehearse([agentId, file("good.json")], { PARLEY_PASSWORD: "not that one" });
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("PARLEY_PASSWORD") });
    const nobody = await rehearse([agentId, file("good.json")], { PARLEY_EMAIL: "" });
    expect(nobody).toMatchObject({ code: 2, err: expect.stringContaining("PARLEY_EMAIL") });
  });
});
