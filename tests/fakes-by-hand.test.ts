import { createHmac, createPrivateKey, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signRs256 } from "@parley/control-api/channels/carriers/vonage/jwt.ts";
import { readWav } from "@parley/media/wav/wav-reader.ts";
import {
  ACCOUNT_CARRIERS,
  type AccountCarrierName,
  PHONE_CARRIERS,
} from "@parley/shared/contracts/phone-carriers.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestBrain } from "../testkit/brain.ts";
import { ByHand } from "../testkit/by-hand.ts";
import { eventsOf } from "../testkit/call-events.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { ROOT } from "../testkit/product.ts";
import { TestReceiver } from "../testkit/receiver.ts";
import { LOUD, loudness } from "../testkit/softphones.ts";

const CARRIERS = "testkit/fakes/carriers/main.ts";
const VENDORS = "testkit/fakes/speech/main.ts";
const PHONES = "testkit/fakes/phones/main.ts";
const MESSAGING = "testkit/fakes/messaging/main.ts";
const FROM = "12025550123";
/** Rings, and is busy: so says its last digit. */
const TO = "12025550101";

interface Placed {
  readonly url: string;
  readonly callbackUrl: string;
  /** As they are printed. */
  readonly credentials: unknown;
}

function start(script: string, args: readonly string[], cwd?: string): ByHand {
  const program = ByHand.start(script, args, cwd);
  onTestFinished(() => program.kill());
  return program;
}

it("the documentation names programs that there are", async () => {
  const docs = await Promise.all(
    ["docs/speech.md", "docs/phones.md", "docs/channels.md"].map((path) =>
      readFile(join(ROOT, path), "utf8"),
    ),
  );
  const named = docs.join("\n").matchAll(/`npx node (\S*fakes\S*\.ts)/g);
  expect([...new Set([...named].map(([, script]) => script))].sort()).toEqual(
    [CARRIERS, VENDORS, PHONES, MESSAGING].sort(),
  );
});

/** How each carrier documents that a call is placed, with nothing of the product's but its JWT. */
const PLACES: Readonly<Record<AccountCarrierName, (to: Placed) => Request>> = {
  twilio: ({ url, callbackUrl, credentials }) => {
    const { accountSid, authToken } = PHONE_CARRIERS.twilio.credentials.parse(credentials);
    const body = new URLSearchParams({
      To: `+${TO}`,
      From: `+${FROM}`,
      Twiml: "<Response/>",
      StatusCallback: callbackUrl,
    });
    const headers = { authorization: basic(accountSid, authToken) };
    return new Request(`${url}/2010-04-01/Accounts/${accountSid}/Calls.json`, {
      method: "POST",
      headers,
      body,
    });
  },
  telnyx: ({ url, callbackUrl, credentials }) => {
    const { apiKey, connectionId } = PHONE_CARRIERS.telnyx.credentials.parse(credentials);
    const fields = { connection_id: connectionId, to: `+${TO}`, from: `+${FROM}`, webhook_url: callbackUrl };
    return json(`${url}/v2/calls`, `Bearer ${apiKey}`, fields);
  },
  plivo: ({ url, callbackUrl, credentials }) => {
    const { authId, authToken } = PHONE_CARRIERS.plivo.credentials.parse(credentials);
    const fields = { to: TO, from: FROM, answer_url: callbackUrl, ring_url: callbackUrl };
    return json(`${url}/v1/Account/${authId}/Call/`, basic(authId, authToken), fields);
  },
  vonage: ({ url, callbackUrl, credentials }) => {
    const { applicationId, privateKey } = PHONE_CARRIERS.vonage.credentials.parse(credentials);
    const iat = Math.floor(Date.now() / 1_000);
    const claims = { application_id: applicationId, iat, exp: iat + 60, jti: randomUUID() };
    const fields = {
      to: [{ type: "phone", number: TO }],
      from: { type: "phone", number: FROM },
      ncco: [{ action: "talk", text: "Hello." }],
      event_url: [callbackUrl],
    };
    return json(`${url}/v1/calls`, `Bearer ${signRs256(claims, createPrivateKey(privateKey))}`, fields);
  },
};
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** What it answers, and the header that its callbacks are signed in. */
const ANSWERS = {
  twilio: [201, { sid: expect.stringMatching(/^CA[0-9a-f]{32}$/), status: "queued" }, "x-twilio-signature"],
  telnyx: [200, { data: { call_control_id: expect.stringMatching(/^v3:/) } }, "telnyx-signature-ed25519"],
  plivo: [201, { message: "call fired", request_uuid: UUID, api_id: UUID }, "x-plivo-signature-v3"],
  vonage: [201, { uuid: UUID, status: "started", direction: "outbound" }, "authorization"],
} as const;

describe("the fake carriers, started by hand", () => {
  let fakes: ByHand;
  beforeAll(async () => {
    fakes = ByHand.start(CARRIERS, ["--any-port"]);
    await fakes.until("# Type: <carrier> ok");
  });
  afterAll(() => fakes.kill());

  it.each(ACCOUNT_CARRIERS)("%s takes a call with the printed credentials, and tells of it", async (name) => {
    const callbacks = await TestReceiver.answering();
    onTestFinished(() => callbacks.close());
    const url = behind("=", await fakes.until(`${name.toUpperCase()}_API_URL=`));
    const credentials: unknown = JSON.parse(
      behind("credentials: ", await fakes.until(`# ${name} credentials: `)),
    );
    const placed = await fetch(PLACES[name]({ url, callbackUrl: callbacks.url, credentials }));
    const [status, body, signature] = ANSWERS[name];
    expect({ status: placed.status, body: await placed.json() }).toMatchObject({ status, body });
    expect(await fakes.until(`# ${name}: `)).toContain(
      `dials ${name === "twilio" || name === "telnyx" ? "+" : ""}${TO}`,
    );
    await expect.poll(() => callbacks.received.length, { timeout: 90_000 }).toBeGreaterThan(0);
    expect(callbacks.received[0]?.headers[signature]).toBeDefined();
  });

  it.each(ACCOUNT_CARRIERS)("%s fails as it is typed to, and is well again", async (name) => {
    const url = behind("=", await fakes.until(`${name.toUpperCase()}_API_URL=`));
    const status = async () => (await fetch(url)).status;
    fakes.type(`${name} status 503`);
    await fakes.until(`# ${name}: status`);
    expect(await status()).toBe(503);
    fakes.type(`${name} ok`);
    await fakes.until(`# ${name}: ok`);
    expect(await status(), "there are no credentials in it").toBe(401);
  });
});

describe("the fakes of WhatsApp and Instagram, started by hand", () => {
  let fakes: ByHand;
  let urls: Readonly<Record<string, string>>;
  beforeAll(async () => {
    fakes = ByHand.start(MESSAGING, ["--any-port"]);
    await fakes.until("#   or:");
    const pairs = behind("INTEGRATION_URLS=", await fakes.until("INTEGRATION_URLS=")).split(",");
    urls = Object.fromEntries(pairs.map((pair) => pair.split("=") as [string, string]));
  });
  afterAll(() => fakes.kill());

  it.each([
    [
      "whatsapp",
      (id: string) => `v26.0/${id}/messages`,
      { messaging_product: "whatsapp", to: "31612345678" },
    ],
    ["instagram", () => "v26.0/me/messages", { recipient: { id: "31612345678" } }],
  ] as const)("%s posts what a contact writes, signed, and shows the answer", async (name, path, whom) => {
    const callbacks = await TestReceiver.answering();
    onTestFinished(() => callbacks.close());
    const given = behind("credentials: ", await fakes.until(`# ${name} credentials: `));
    const { accessToken, appSecret, phoneNumberId = "" } = JSON.parse(given) as Record<string, string>;
    fakes.type(`${name} hook ${callbacks.url}`);
    await fakes.until(`# ${name}: posts to`);
    fakes.type(`${name} say 31612345678 Hello, is anybody there?`);
    await fakes.until(`# ${name}: answered 200`);
    const [posted] = callbacks.received;
    const signature = createHmac("sha256", appSecret ?? "")
      .update(posted?.body ?? "")
      .digest("hex");
    expect(posted?.headers["x-hub-signature-256"]).toBe(`sha256=${signature}`);
    expect(posted?.body).toContain("Hello, is anybody there?");
    const text =
      name === "whatsapp" ? { type: "text", text: { body: "Yes." } } : { message: { text: "Yes." } };
    const answer = () =>
      fetch(json(`${urls[name]}/${path(phoneNumberId)}`, `Bearer ${accessToken}`, { ...whom, ...text }));
    expect((await answer()).status).toBe(200);
    expect(await fakes.until(`# ${name}: to 31612345678: `)).toContain("Yes.");
    fakes.type(`${name} refuse`);
    await fakes.until(`# ${name}: refuses`);
    expect((await answer()).status).toBe(400);
  });
});

describe("fakes that are started by hand", () => {
  it.each([
    [CARRIERS, "SIGINT"],
    [CARRIERS, "SIGTERM"],
    [VENDORS, "SIGINT"],
    [VENDORS, "SIGTERM"],
    [MESSAGING, "SIGINT"],
    [MESSAGING, "SIGTERM"],
  ] as const)("%s ends in good order on %s, also while somebody is connected", async (script, signal) => {
    const fakes = start(script, ["--any-port"]);
    await fakes.until("# Type:");
    const url = /=(http:[^\s,]+)/.exec(fakes.lines[0] ?? "")?.[1] ?? "";
    // Its connection is kept alive.
    await (await fetch(url)).text();
    fakes.signal(signal);
    expect(await fakes.untilExit()).toEqual({ code: 0, signal: null, stderr: "" });
    await expect(fetch(url)).rejects.toThrow();
  });

  it("a phone talks to a call, hangs up on Ctrl-C, and leaves what it heard", async () => {
    const brain = await TestBrain.saying("I hear you.");
    const gateway = await TestGateway.start();
    const cwd = await mkdtemp(join(tmpdir(), "parley-phone-"));
    onTestFinished(async () => {
      await gateway.close();
      brain.close();
      await rm(cwd, { recursive: true });
    });
    const { websocketUrl, sessionId } = await gateway.createSession({
      brainUrl: brain.url,
      firstResponse: "Hello.",
    });
    const phone = start(PHONES, ["twilio", websocketUrl], cwd);
    await phone.until("# You are on the phone");
    // What an agent said is told once it was heard.
    await eventsOf(gateway.bus, sessionId, "call.message");
    phone.type("keys 5#");
    await expect.poll(() => brain.queries).toEqual(["DTMF: 5#"]);
    phone.signal("SIGINT");
    expect(await phone.until("# The call is over")).toBe(
      "# The call is over (1000); heard.wav is what you heard. Faults: none",
    );
    expect(await phone.untilExit()).toMatchObject({ code: 0, signal: null });
    const heard = readWav(await readFile(join(cwd, "heard.wav")));
    expect(loudness(heard.samples)).toBeGreaterThan(LOUD);
  });
});

function behind(mark: string, line: string): string {
  return line.slice(line.indexOf(mark) + mark.length);
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function json(url: string, authorization: string, fields: object): Request {
  const headers = { authorization, "content-type": "application/json" };
  return new Request(url, { method: "POST", headers, body: JSON.stringify(fields) });
}
