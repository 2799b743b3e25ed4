import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyWebhook } from "@parley/platform/webhooks/verify-webhook.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../testkit/needs.ts";
import { createOrganization, type TestOrganization } from "../testkit/organization.ts";
import { ParleyCommand } from "../testkit/parley-command.ts";
import { createTestDatabase } from "../testkit/postgres.ts";
import { TestReceiver } from "../testkit/receiver.ts";
import { TestWebhooks } from "../testkit/webhooks.ts";

const SOON = { timeout: 90_000 };

let webhooks: TestWebhooks;
let organization: TestOrganization;
let sessionId: string;
beforeAll(async () => {
  webhooks = await TestWebhooks.start();
  organization = await createOrganization(webhooks.api.database);
  sessionId = await webhooks.startCall(organization);
});
afterAll(() => webhooks.close());

const press = (digit?: string) => webhooks.press(sessionId, organization.orgId, digit);

function env(key = organization.keys.developer): Record<string, string> {
  return { PARLEY_URL: webhooks.api.api.baseUrl, PARLEY_API_KEY: key };
}

/** Somebody who listens, and is ready. */
async function listening(args: readonly string[] = [], given = env()): Promise<ParleyCommand> {
  const command = await ParleyCommand.start(["listen", ...args], { env: given });
  await expect.poll(() => command.secret() ?? command.complained, SOON).toMatch(/^whsec_/);
  return command;
}

async function receiving(answer?: Parameters<typeof TestReceiver.answering>[0]): Promise<TestReceiver> {
  const receiver = await TestReceiver.answering(answer);
  onTestFinished(() => receiver.close());
  return receiver;
}

async function listeners({ api }: TestWebhooks = webhooks): Promise<{ id: string; org_id: string }[]> {
  const endpoints = api.database.db.selectFrom("webhook_endpoints").select(["id", "org_id"]);
  return endpoints.where("listening_until", "is not", null).execute();
}

async function leaves(command: ParleyCommand): Promise<void> {
  // The terminal's and npx's.
  command.interrupt();
  command.interrupt();
  expect(await command.untilExit()).toBe(0);
}

const digitOf = ({ body }: { body: string }): unknown => JSON.parse(body).digit;

describe("parley listen", () => {
  it("forwards what happens, in order, as a receiver would get it, and leaves nothing behind", async () => {
    const receiver = await receiving();
    const command = await listening(["--forward", receiver.url]);
    for (const digit of ["1", "2", "3"]) await press(digit);
    await expect.poll(() => receiver.received.map(digitOf), SOON).toEqual(["1", "2", "3"]);
    const secret = command.secret() ?? "";
    for (const { headers, body } of receiver.received) {
      const verified = verifyWebhook({ headers, body, secret, nowMs: webhooks.clock.wallMs() });
      expect(verified.event).toBe("call.dtmf");
      expect(headers["x-service-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/);
      expect(headers["content-type"]).toBe("application/json");
    }
    const told = /^\d\d:\d\d:\d\d {2}call\.dtmf {2}dlv_[0-9a-f]{32} {2}→ 200 in \d+ ms$/;
    await expect.poll(() => command.lines().filter((line) => told.test(line)), SOON).toHaveLength(3);
    expect(command.lines()[0]).toBe(`Ready! Your signing secret is ${secret}`);
    expect(command.said).not.toContain("\u001b");
    expect(await listeners()).toHaveLength(1);
    await leaves(command);
    expect(await listeners()).toEqual([]);
    expect(command.complained).toBe("");
  });

  it("shows a failure with its reason, and the receiver sees it again after the backoff", async () => {
    const receiver = await receiving(500);
    const command = await listening(["--forward", receiver.url, "--events", "call.dtmf, call.ended"]);
    await press("7");
    await expect.poll(() => command.said, SOON).toMatch(/→ 500 in \d+ ms; tried again in 10 s\n/);
    receiver.answer = (response) => void response.writeHead(200).end();
    webhooks.clock.step(10_000);
    await expect.poll(() => receiver.received.length, SOON).toBe(2);
    const [first, again] = receiver.received;
    expect(again?.headers["x-service-delivery"]).toBe(first?.headers["x-service-delivery"]);
    expect(again?.body).toBe(first?.body);
    await expect.poll(() => command.said, SOON).toMatch(/→ 200 in/);
    await leaves(command);
  });

  it("says what is wrong when nobody listens at the port, when a redirect comes, and when 410 does", async () => {
    const receiver = await receiving(
      (response) => void response.writeHead(302, { location: `${response.req.url}/x` }).end(),
    );
    const gone = await receiving(410);
    const commands = await Promise.all([
      listening(["--forward", "http://127.0.0.1:1/hook"]),
      listening(["--forward", receiver.url]),
      listening(["--forward", gone.url]),
    ]);
    await press();
    for (const [index, told] of [
      /→ nobody listens at http:\/\/127\.0\.0\.1:1, after \d+ ms; tried again in 10 s/,
      /→ 302 in \d+ ms; tried again/,
      /→ 410 in \d+ ms; a webhook of yours would be disabled now; tried again/,
    ].entries()) {
      await expect.poll(() => commands[index]?.said, SOON).toMatch(told);
    }
    expect(receiver.received.map(({ path }) => path)).toEqual([""]);
    for (const command of commands) await leaves(command);
  });

  it("keeps what a receiver answers, however odd", async () => {
    const receiver = await receiving((response) => {
      response.writeHead(200).write(Buffer.from([0, 0xff, 0xc3]));
      response.end(`\\u0000${"x".repeat(10_000)}`);
    });
    const command = await listening(["--forward", receiver.url]);
    await press();
    await expect.poll(() => command.said, SOON).toMatch(/→ 200 in/);
    const [listener] = await listeners();
    const [delivery] = await webhooks.deliveries(organization, listener?.id ?? "");
    expect(delivery).toMatchObject({ status: "delivered", responseStatus: 200 });
    expect(delivery?.responseBody?.length).toBeGreaterThan(4_000);
    await leaves(command);
  });

  it("shows events, and bodies, where there is nowhere to forward them to", async () => {
    const command = await listening(["--print-body"]);
    await press("8");
    await expect.poll(() => command.said, SOON).toContain('  "digit": "8"');
    expect(command.said).toMatch(/call\.dtmf {2}dlv_\w+\n/);
    await leaves(command);
  });

  it("speaks JSON to programs, a line for each delivery", async () => {
    const receiver = await receiving(201);
    const command = await ParleyCommand.start(["listen", "--json", "--forward", receiver.url], {
      env: env(),
    });
    await expect.poll(() => command.lines().length, SOON).toBe(1);
    await press();
    await expect.poll(() => command.lines().length, SOON).toBe(2);
    const [ready, delivery] = command.lines().map((line) => JSON.parse(line));
    expect(ready).toEqual({
      type: "ready",
      listener_id: expect.stringMatching(/^whk_/),
      signing_secret: expect.stringMatching(/^whsec_/),
    });
    expect(delivery).toEqual({
      type: "delivery",
      id: receiver.received[0]?.headers["x-service-delivery"],
      event: "call.dtmf",
      attempt: 1,
      result: "delivered",
      response_status: 201,
      error: null,
      duration_ms: expect.any(Number),
      retry_in_secs: null,
    });
    await leaves(command);
  });

  it("goes on with a new listener, its secret kept, and says so when the old one is gone", async () => {
    const receiver = await receiving();
    const command = await listening(["--forward", receiver.url]);
    for (const { id } of await listeners()) {
      const key = organization.keys.owner;
      await webhooks.api.call("DELETE", `/api/v1/listeners/${id}`, { key });
    }
    await expect.poll(() => command.complained, SOON).toContain("A new one listens, with the same secret.");
    await press("4");
    await expect.poll(() => receiver.received.map(digitOf), SOON).toEqual(["4"]);
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
    verifyWebhook({ headers, body, secret: command.secret() ?? "", nowMs: webhooks.clock.wallMs() });
    await leaves(command);
  });

  it("takes the demo's address and key where npm start left them", async () => {
    const demo = { baseUrl: webhooks.api.api.baseUrl, apiKey: organization.keys.owner };
    const command = await ParleyCommand.start(["listen"], { demo });
    await expect.poll(() => command.secret(), SOON).toBeDefined();
    await leaves(command);
  });

  it("has the same secret at each start, also where it is printed for a file, and two may use it at once", async () => {
    const XDG_CONFIG_HOME = await mkdtemp(join(tmpdir(), "parley-config-"));
    onTestFinished(() => rm(XDG_CONFIG_HOME, { recursive: true }));
    const config = { ...env(), XDG_CONFIG_HOME };
    // Two first starts at the same time agree on one.
    const printed = await Promise.all(
      [1, 2].map(() => ParleyCommand.run(["listen", "--print-secret"], { env: config })),
    );
    expect(new Set(printed.map(({ said }) => said)).size).toBe(1);
    const secret = printed[0]?.said.trim();
    const withoutKey = { PARLEY_URL: webhooks.api.api.baseUrl, XDG_CONFIG_HOME };
    expect((await ParleyCommand.run(["listen", "--print-secret"], { env: withoutKey })).said.trim()).toBe(
      secret,
    );
    const [file = ""] = await readdir(join(XDG_CONFIG_HOME, "parley"));
    expect((await stat(join(XDG_CONFIG_HOME, "parley", file))).mode & 0o777).toBe(0o600);
    const receivers = [await receiving(), await receiving()];
    const commands = await Promise.all(receivers.map(({ url }) => listening(["--forward", url], config)));
    expect(commands.map((command) => command.secret())).toEqual([secret, secret]);
    await press("6");
    for (const receiver of receivers) {
      await expect.poll(() => receiver.received.length, SOON).toBe(1);
      const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
      verifyWebhook({ headers, body, secret: secret ?? "", nowMs: webhooks.clock.wallMs() });
    }
    for (const command of commands) await leaves(command);
  });

  it("takes a secret that is given, and goes on where it cannot be saved", async () => {
    const given = `whsec_${randomBytes(24).toString("base64")}`;
    const told = await listening([], { ...env(), PARLEY_SIGNING_SECRET: given });
    expect(told.secret()).toBe(given);
    await leaves(told);
    const unsaved = await listening([], { ...env(), XDG_CONFIG_HOME: "/dev/null" });
    expect(unsaved.complained).toContain("The signing secret could not be saved");
    await leaves(unsaved);
  });

  it("leaves nothing behind when its window is closed", async () => {
    const command = await listening();
    command.interrupt("SIGHUP");
    expect(await command.untilExit()).toBe(0);
    expect(await listeners()).toEqual([]);
  });
});

describe("parley trigger", () => {
  it("sends a sample with other values in it to whom its event would go", async () => {
    const receiver = await receiving();
    const command = await listening(["--forward", receiver.url, "--events", "call.ended"]);
    const set = [
      "endReason=max_duration",
      "durationSecs=7",
      "identifier=007",
      "variables.tier=gold",
      "userId=12",
    ];
    const args = ["trigger", "call.ended", ...set.flatMap((each) => ["--set", each])];
    const { code, said, complained } = await ParleyCommand.run(args, { env: env() });
    expect({ code, complained }).toEqual({ code: 0, complained: "" });
    expect(said).toMatch(/^call\.ended {2}dlv_\w+ {2}→ parley listen\n$/);
    await expect.poll(() => receiver.received.length, SOON).toBe(1);
    expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({
      event: "call.ended",
      orgId: organization.orgId,
      endReason: "max_duration",
      durationSecs: 7,
      identifier: "007",
      userId: "12",
      variables: { tier: "gold" },
    });
    const json = await ParleyCommand.run(["trigger", "call.ended", "--json"], { env: env() });
    expect(JSON.parse(json.said)).toMatchObject({
      event: "call.ended",
      total: 1,
      deliveries: [{ url: null }],
    });
    await leaves(command);
  });

  it("says what is wrong with what was asked for, and when nobody gets it", async () => {
    for (const [args, reason] of [
      [["call.ended"], "No endpoint or listener receives call.ended. Start parley listen"],
      [["call.end"], 'there is no event "call.end"; there are call.started'],
      [["call.ended", "--set", "durationSecs=long"], "durationSecs"],
      [
        ["call.ended", "--endpoint", "whk_none"],
        "No enabled webhook of this organization has the id whk_none.",
      ],
    ] as const) {
      const { code, complained } = await ParleyCommand.run(["trigger", ...args], { env: env() });
      expect(complained).toContain(reason);
      expect(code).toBe(2);
    }
  });
});

describe("a command that cannot be", () => {
  const KEY = { PARLEY_API_KEY: "parley_live_x" };
  it.each([
    [["forward"], KEY, 'Unknown command "forward". Commands: listen, trigger, rehearse and app.'],
    [
      [],
      KEY,
      "Name a command: parley listen, parley trigger <event>, parley rehearse <agent> or parley app.",
    ],
    [["listen", "--set", "a=1"], KEY, "parley listen has no option --set."],
    [["listen", "--secret", "whsec_short"], KEY, "24 to 64 bytes in base64"],
    [["trigger"], KEY, "Name an event"],
    [["trigger", "call.ended", "call.dtmf"], KEY, "Name one event"],
    [["trigger", "call.ended", "--set", "endReason"], KEY, "--set needs a field and its value"],
    [
      ["trigger", "call.ended", "--forward", "http://localhost"],
      KEY,
      "parley trigger has no option --forward.",
    ],
    [["listen", "http://localhost:3000"], KEY, "Put addresses after --forward."],
    [["listen", "--froward", "x"], KEY, "Unknown option '--froward'"],
    [["listen", "--forward"], KEY, "'--forward <value>' argument missing"],
    [["listen", "--forward", "localhost:3000/hook"], KEY, "--forward needs an address such as"],
    [["listen", "--api", "nowhere"], KEY, "--api needs an address such as"],
    [["listen", "--events", ","], KEY, "--events needs event names"],
    [["listen"], {}, "There is no API key: set PARLEY_API_KEY"],
    [["listen", "--key", "a b"], {}, "has invalid characters"],
    [["listen", "--api", "http://127.0.0.1:2"], KEY, "Nothing answers at http://127.0.0.1:2 (ECONNREFUSED)."],
  ])("%j is told why", async (args, given, reason) => {
    const { code, said, complained } = await ParleyCommand.run(args, { env: given });
    expect(complained).toContain(reason);
    expect({ code, said }).toEqual({ code: 2, said: "" });
  });

  it("has the wrong key, one that may only read, or asks for what is not there", async () => {
    const { keys } = organization;
    const cases: [string[], string, string][] = [
      [[], "parley_live_wrong", "Set PARLEY_API_KEY to a key of this Parley."],
      [[], keys.viewer, "A key with role viewer may only read here"],
      [["--events", "call.end"], keys.owner, "not an event of the catalog"],
      [["--agent", "agt_none"], keys.owner, "There is no agent agt_none"],
    ];
    for (const [args, key, reason] of cases) {
      const { code, complained } = await ParleyCommand.run(["listen", ...args], { env: env(key) });
      expect(complained).toContain(reason);
      expect(complained).not.toContain(key);
      expect(code).toBe(2);
    }
  });

  it("does not send the demo's key to an address somebody named", async () => {
    const demo = { baseUrl: "http://127.0.0.1:2", apiKey: organization.keys.owner };
    const args = ["listen", "--api", webhooks.api.api.baseUrl];
    const { code, complained } = await ParleyCommand.run(args, { demo });
    expect(complained).toContain("There is no API key");
    expect(code).toBe(2);
  });

  it("is helped", async () => {
    const { code, said } = await ParleyCommand.run(["--help"]);
    expect(said).toContain("Usage: parley listen");
    expect(code).toBe(0);
  });
});

describe.runIf(needs("postgres"))("when the API goes away", () => {
  it("says so once, goes on when it is back, and has missed nothing of what others recorded", async () => {
    const database = await createTestDatabase();
    const secretsKey = `test:${randomBytes(32).toString("base64")}`;
    const options = { databaseUrl: database.url, secretsKey };
    const first = await TestWebhooks.start(options);
    const other = await TestWebhooks.start(options);
    onTestFinished(async () => {
      await other.close();
      await database.drop();
    });
    const org = await createOrganization(other.api.database);
    const receiver = await receiving();
    const { baseUrl, port } = first.api.api;
    const command = await listening(["--forward", receiver.url], {
      PARLEY_URL: baseUrl,
      PARLEY_API_KEY: org.keys.developer,
    });
    const session = await other.startCall(org);
    await other.press(session, org.orgId, "1");
    await expect.poll(() => receiver.received.length, SOON).toBe(1);
    await first.close();
    await expect.poll(() => command.complained, SOON).toContain(`Nothing answers at ${baseUrl}`);
    for (const digit of ["2", "3", "4"]) await other.press(session, org.orgId, digit);
    const raised = () => other.api.database.db.selectFrom("webhook_deliveries").select("id").execute();
    await expect.poll(raised, SOON).toHaveLength(4);
    const back = await TestWebhooks.start({ ...options, env: { CONTROL_API_PORT: String(port) } });
    onTestFinished(() => back.close());
    await expect.poll(() => receiver.received.map(digitOf), SOON).toEqual(["1", "2", "3", "4"]);
    expect(command.complained.match(/Nothing answers/g)).toHaveLength(1);
    expect(command.complained).toContain("Connected again.");
    expect(command.said.match(/whsec_/g)).toHaveLength(1);
    await leaves(command);
    expect(await listeners(back)).toEqual([]);
  });
});
