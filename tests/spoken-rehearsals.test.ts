// Real time: a caller speaks in calls through a gateway, whose recognizer hears them as they come.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RehearsalReport, rehearsalsResponseSchema } from "@parley/shared/contracts/rehearsals.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../testkit/control-api.ts";
import { flowOf } from "../testkit/flows.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { TestMembers } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import { ParleyCommand } from "../testkit/parley-command.ts";
import { PASSWORD } from "../testkit/person.ts";
import { TestReceiver } from "../testkit/receiver.ts";
import { POCKETSPHINX } from "../testkit/recognizer.ts";

/** This recognizer takes seconds on a busy machine: nobody prompts a caller whose words are on their way. */
const PATIENT = {
  silence: { promptAfterMs: 0 },
  // Until it has heard the caller, an agent takes the voices around them for theirs.
  turnTaking: { firstResponseInterruptible: false, bargeIn: { falseAlarmMs: 10_000 } },
  waiting: { afterMs: 0 },
};
const TERMS =
  "Very well. Before we begin, please listen to our terms, which are long, and which nobody has ever heard to the end.";
const CHAIRS = flowOf({
  hello: { type: "say", text: "Hello, this is the shop.", next: "wish" },
  wish: { type: "wait", save: "first", next: "terms" },
  terms: { type: "say", text: TERMS, next: "listen" },
  listen: { type: "wait", save: "wish", next: "look" },
  look: {
    ...{ type: "tool", tool: "look", save: [{ variable: "chairs", path: "chairs" }] },
    ...{ next: "found", failed: "lost" },
  },
  found: { type: "say", text: "We have {chairs} chairs.", next: "pass" },
  pass: { type: "transfer", to: "+4930123456", failed: "lost" },
  lost: { type: "end", text: "We have none." },
});
const HELD = { timeout: 110_000, interval: 250 };

describe.runIf(needs("pocketsphinx"))("rehearsals in speech", () => {
  let api: TestControlApi;
  let members: TestMembers;
  let gateway: TestGateway;
  beforeAll(async () => {
    api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
    members = await TestMembers.create(api);
    const { bus, keys } = api;
    gateway = await TestGateway.start({ bus, keys, env: { STT_COMMAND: POCKETSPHINX } });
  });
  afterAll(async () => {
    await gateway.gateway.close();
    await api.close();
    await rm(gateway.dataDir, { recursive: true, force: true });
  });

  const ask = (method: "GET" | "POST" | "PATCH", path: string, body?: object) =>
    members.people.developer.call(method, path, body, members.orgId);

  async function held(agentId: string, body: object): Promise<RehearsalReport> {
    const path = `/api/agents/${agentId}/simulations`;
    const begun = await ask("POST", path, { mode: "speech", ...body });
    expect(begun.status, JSON.stringify(begun.body)).toBe(202);
    const { reportId, state } = rehearsalsResponseSchema.shape.data.parse(begun.body.data);
    expect(state).toBe("running");
    const read = async () =>
      rehearsalsResponseSchema.shape.data.parse((await ask("GET", `${path}/${reportId}`)).body.data);
    await expect.poll(async () => (await read()).state, HELD).not.toBe("running");
    return read();
  }

  /** As `npx parley rehearse --speech` does it in CI. */
  async function heldByCommand(agentId: string, scenarios: readonly object[]) {
    const dir = await mkdtemp(join(tmpdir(), "parley-rehearse-"));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const [file, junit] = [join(dir, "scenarios.json"), join(dir, "report.xml")];
    await writeFile(file, JSON.stringify({ scenarios }));
    const { code, said, complained } = await ParleyCommand.run(
      ["rehearse", agentId, file, "--speech", "--junit", junit],
      {
        env: {
          PARLEY_URL: api.api.baseUrl,
          PARLEY_EMAIL: members.people.developer.email,
          PARLEY_PASSWORD: PASSWORD,
          PARLEY_ORG: members.orgId,
        },
      },
    );
    expect(complained).toBe("");
    const path = `/api/agents/${agentId}/simulations`;
    const { reports } = (await ask("GET", path)).body.data as { reports: { reportId: string }[] };
    const read = await ask("GET", `${path}/${reports[0]?.reportId}`);
    const report = rehearsalsResponseSchema.shape.data.parse(read.body.data);
    return { code, said, report, junit: await readFile(junit, "utf8") };
  }

  it("one of a template passes, and one broken on purpose fails with the sentence that shows it, for whoever asks by the command", async () => {
    const made = await ask("POST", `/api/orgs/${members.orgId}/templates/survey/agents`, {});
    const { agentId } = made.body.data as { agentId: string };
    expect((await ask("PATCH", `/api/agents/${agentId}`, PATIENT)).status).toBe(200);
    const caller = { answers: [{ to: "have a minute", say: "You have the wrong number" }] };
    const scenarios = [
      { name: "is wrong", caller, criteria: [{ kind: "reaches", node: "later" }, { kind: "ends" }] },
      { name: "buys", caller, criteria: [{ kind: "says", text: "buy now" }] },
    ];
    const { report, said, junit, code } = await heldByCommand(agentId, scenarios);
    expect(report).toMatchObject({ mode: "speech", state: "done", error: null, passed: 1, total: 2 });
    expect(code).toBe(1);
    expect(said).toMatch(/✓ is wrong \(1 turn\)\n {4}answers after \d+ ms/);
    expect(said).toMatch(/✗ buys {2}ses_\S+\n {4}The agent never said "buy now"/);
    expect(junit).toMatch(/tests="2" failures="1"/);
    const [good, bad] = report.rehearsals;
    expect(good).toMatchObject({ passed: true, endReason: "flow_end", turns: 1, error: null });
    expect(good?.path).toEqual(["hello", "may_ask", "later"]);
    expect(good?.speech).toMatchObject({ voice: "rms", noise: null, talkedOver: 0, words: { said: 5 } });
    expect(good?.speech?.responseMs?.p50).toBeGreaterThan(0);
    expect(good?.slowestMs).toBeGreaterThanOrEqual(good?.speech?.responseMs?.p50 ?? 0);
    expect(bad?.criteria[0]?.because).toBe(
      'The agent never said "buy now"; its last words were: "No problem. Have a good day."',
    );
  });

  it("a caller in an office cuts in, tools give what the scenario says, and nobody is transferred or told of a call", async () => {
    const receiver = await TestReceiver.answering();
    onTestFinished(() => receiver.close());
    const tools = [{ kind: "http", name: "look", description: "Looks.", url: "https://shop.invalid/chairs" }];
    const made = await ask("POST", "/api/agents", {
      name: "Chairs",
      brain: { kind: "flow", flow: CHAIRS, tools },
      recording: true,
      ...PATIENT,
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const agentId = String((made.body.data as { id: string }).id);
    const hooks = `/api/orgs/${members.orgId}/webhooks`;
    const key = members.keys.owner;
    const hook = await api.call("POST", hooks, { key, body: { url: receiver.url, agentId } });
    const caller = {
      answers: [
        { to: "this is the shop", say: "Good morning, I want to buy a chair" },
        { to: "listen to our terms", say: "Stop please, I only want to buy a chair", cutsIn: true },
      ],
      otherwise: ["I want to buy a chair"],
    };
    const scenario = {
      ...{ name: "buys", caller, tools: [{ name: "look", result: { chairs: "three" } }] },
      criteria: [
        { kind: "calls_tool", tool: "look" },
        { kind: "says", text: "We have three" },
        { kind: "ends" },
      ],
    };
    const report = await held(agentId, { noise: { sound: "office", volumeDb: -20 }, scenarios: [scenario] });
    const [one] = report.rehearsals;
    expect(one?.criteria.map(({ passed, because }) => [passed, because])).toEqual([
      [true, 'The tool "look" ran: success.'],
      [true, 'The agent said: "We have three chairs."'],
      [true, "The agent ended it: transferred."],
    ]);
    expect(one?.speech).toMatchObject({ noise: { sound: "office", volumeDb: -20 } });
    expect(one?.speech?.interruptions).toMatchObject({ made: 1, heeded: 1, slowestMs: expect.any(Number) });
    const heard = one?.transcript.find(({ text }) => text.startsWith("Very well."))?.text ?? "?";
    expect(TERMS.startsWith(heard)).toBe(true);
    expect(heard.length).toBeLessThan(TERMS.length);
    const record = await api.call("GET", `/api/v1/calls/${one?.sessionId}`, { key: members.keys.viewer });
    expect(record.body).toMatchObject({
      channel: "simulation",
      status: "completed",
      endReason: "transferred",
    });
    expect((record.body.recording as { durationSecs: number }).durationSecs).toBeGreaterThan(0);

    // What its vendors charge for is used, and nobody called.
    const about = `/api/orgs/${members.orgId}`;
    const used = async () => {
      const { body } = await ask("GET", `${about}/usage/calls/${one?.sessionId}`);
      return (body.data as { lines: { metric: string }[] }).lines.map(({ metric }) => metric).toSorted();
    };
    await expect.poll(used, HELD).toEqual(["stt_seconds", "tts_characters"]);
    const overview = await ask("GET", `${about}/analytics/overview`);
    expect(overview.body.data).toMatchObject({ live: 0, today: { calls: 0 }, setup: { hasTalked: false } });
    const day = new Date().toISOString().slice(0, 10);
    const tomorrow = new Date(Date.parse(day) + 86_400_000).toISOString();
    const figures = await ask("GET", `${about}/analytics/calls?from=${day}T00:00:00.000Z&to=${tomorrow}`);
    expect(figures.body.data, JSON.stringify(figures.body)).toMatchObject({
      totals: { calls: 0 },
      agents: [],
    });

    // What is told of a later conversation in text is told after all of this one.
    const text = await ask("POST", `/api/agents/${agentId}/simulations`, { scenarios: [scenario] });
    const later = rehearsalsResponseSchema.shape.data.parse(text.body.data).rehearsals[0]?.sessionId;
    const { id } = hook.body.data as { id: string };
    const told = async () => {
      const listed = await api.call("GET", `${hooks}/${id}/deliveries?limit=100`, { key });
      return (listed.body.data as { deliveries: { event: string; sessionId: string }[] }).deliveries;
    };
    const events = async (of: string | undefined) => [
      ...new Set((await told()).filter(({ sessionId }) => sessionId === of).map(({ event }) => event)),
    ];
    await expect.poll(() => events(later), HELD).toContain("tool.invoked");
    expect((await events(one?.sessionId)).toSorted()).toEqual(["tool.invoked", "transcript.ready"]);
  });
});
