import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import type { TtsVendor } from "@parley/media/tts/port.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installApp } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { type FakeOpenAi, startFakeOpenAi } from "../../../testkit/fakes/speech/openai.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { AppSpeech } from "./app-speech.ts";

const PATH = "/api/app-ai/tts";
const HEADER_BYTES = 44;

let fake: FakeOpenAi;
let api: TestControlApi;
let person: TestPerson;
let token: string;
beforeAll(async () => {
  const tone = async (): Promise<Int16Array> => new Int16Array(16_000).fill(1_000);
  fake = await startFakeOpenAi({ apiKey: "sk-operator", voice: tone });
  api = await TestControlApi.start({
    env: { OPENAI_BASE_URL: fake.url, OPENAI_API_KEY: "sk-operator" },
  });
  person = await TestPerson.register(api);
  token = await keyOf(await installApp(person, { id: "reader", scopes: ["ai:tts"] }));
});
afterAll(async () => {
  await api.close();
  await fake.close();
});

async function keyOf(appId: string): Promise<string> {
  const made = await person.call("POST", `/api/orgs/${person.orgId}/apps/${appId}/keys`, { name: "Backend" });
  return (made.body.data as { secret: string }).secret;
}

/** The answer to the next request, before anything of it was looked at. */
function nextResponse(): Promise<ServerResponse> {
  const begun = channel("http.server.request.start");
  return new Promise((resolve) => {
    const onBegun = (message: unknown): void => {
      begun.unsubscribe(onBegun);
      resolve((message as { response: ServerResponse }).response);
    };
    begun.subscribe(onBegun);
  });
}

async function speak(body: object): Promise<{ wav: Buffer; type: string | null }> {
  const response = await fetch(`${api.api.baseUrl}${PATH}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return { wav: Buffer.from(await response.arrayBuffer()), type: response.headers.get("content-type") };
}

/** What is said is sent before it is counted. */
const usage = () =>
  api.database.db
    .selectFrom("usage_rows")
    .select(["metric", "vendor", "channel", "quantity"])
    .where("org_id", "=", person.orgId)
    .orderBy("at")
    .execute();

describe("speech for an app's backend", () => {
  it("is a WAV of the built-in voice where the organization has no agent, and its characters are usage", async () => {
    const { wav, type } = await speak({ text: " Good day. " });
    expect(type).toBe("audio/wav");
    expect([wav.toString("latin1", 0, 4), wav.readUInt32LE(24)]).toEqual(["RIFF", 16_000]);
    expect(wav.length - HEADER_BYTES).toBeGreaterThan(8_000);
    const about = { metric: "tts_characters", channel: "app" };
    await expect.poll(usage).toMatchObject([{ ...about, vendor: "flite", quantity: "9" }]);
  });

  it("is in the voice of the newest agent that can be heard here, unless the app names another", async () => {
    const tts = [{ vendor: "elevenlabs" }, { vendor: "openai", voice: "nova" }];
    const brain = { kind: "model", model: "m-1", prompt: "Be brief." };
    await person.call("POST", "/api/agents", { name: "Front desk", brain, tts });
    await speak({ text: "Good day." });
    await speak({ text: "Good day.", voice: "alloy", speed: 2 });
    await speak({ text: "Good day.", provider: "flite", voice: "awb" });
    expect(fake.asked.voices).toMatchObject([{ voice: "nova" }, { voice: "alloy", speed: 2 }]);
    const vendors = async () => (await usage()).map(({ vendor }) => vendor);
    await expect.poll(vendors).toEqual(["flite", "openai", "openai", "flite"]);
  });

  it("that the provider refuses is told so, and costs nothing", async () => {
    const before = await usage();
    fake.faults.set({ kind: "status", status: 500 });
    expect(await api.call("POST", PATH, { token, body: { text: "Good day." } })).toMatchObject({
      ...{ status: 502, body: { code: "vendor_failed" } },
    });
    fake.faults.clear();
    expect(await usage()).toEqual(before);
  });

  it.each([
    ["nothing", {}, 400],
    ["nothing that could be said", { text: "… !!" }, 400],
    ["too much", { text: "a".repeat(4_097) }, 400],
    ["a provider that there is not", { text: "Hi", provider: "nobody" }, 400],
    ["a provider without a key here", { text: "Hi", provider: "elevenlabs" }, 404],
    ["a speed that no voice has", { text: "Hi", speed: 9 }, 400],
    ["what is not known", { text: "Hi", loud: true }, 400],
  ])("that asks for %s is refused", async (_, body, status) => {
    expect((await api.call("POST", PATH, { token, body })).status).toBe(status);
  });

  it("is not made for a client that goes while its request is still looked at", async () => {
    const named = { text: "Nobody hears this.", provider: "openai", voice: "nova" };
    const { hostname, port } = new URL(api.api.baseUrl);
    const socket = connect(Number(port), hostname);
    const body = JSON.stringify(named);
    const head = [
      `POST ${PATH} HTTP/1.1`,
      `host: ${hostname}`,
      `authorization: Bearer ${token}`,
      "content-type: application/json",
      `content-length: ${body.length}`,
    ];
    const arrived = nextResponse();
    // What is asked for meanwhile waits for the end of the transaction.
    await api.database.db.transaction().execute(async (trx) => {
      await sql`lock table rate_limits in access exclusive mode`.execute(trx);
      socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
      const response = await arrived;
      socket.destroy();
      await once(response, "close");
    });
    // Whoever comes later is looked at later.
    await speak({ ...named, text: "Somebody hears this." });
    expect(fake.asked.texts).toContain("Somebody hears this.");
    expect(fake.asked.texts).not.toContain("Nobody hears this.");
  });

  it("needs the app's key and the scope that its install agreed to", async () => {
    const body = { text: "Hi" };
    const bare = await keyOf(await installApp(person, { id: "bare-app" }));
    expect(await api.call("POST", PATH, { token: bare, body })).toMatchObject({
      ...{ status: 403, body: { details: { scope: "ai:tts" } } },
    });
    expect((await api.call("POST", PATH, { token: `${token}x`, body })).status).toBe(401);
    expect((await api.call("POST", PATH, { token: person.accessToken, body })).status).toBe(401);
  });
});

/** A vendor that begins, and goes on when it is stopped. */
function slowVendor(): { vendor: TtsVendor; stopped: () => number } {
  let stopped = 0;
  const vendor: TtsVendor = {
    name: "slow",
    openReply: ({ signal }) => ({
      async *say() {
        yield new Int16Array(160);
        if (!signal.aborted)
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        stopped += 1;
      },
      close: () => undefined,
    }),
  };
  return { vendor, stopped: () => stopped };
}

describe("texts that are being spoken", () => {
  const asked = { provider: "slow", text: "Good day.", onSpoken: () => undefined };

  it("are four of an organization at a time, and those of another beside them", async () => {
    const { vendor, stopped } = slowVendor();
    const speech = new AppSpeech({ vendors: new Map([["slow", vendor]]), clock: new ManualClock() });
    const gone = new AbortController();
    const speak = (orgId: string) => speech.speak({ ...asked, orgId, signal: gone.signal });
    const all = [...["org_1", "org_1", "org_1", "org_1"], "org_2"].map((orgId) => speak(orgId));
    await expect(speak("org_1")).rejects.toMatchObject({ code: "too_many_requests", retryAfterSecs: 2 });
    gone.abort();
    for (const one of await Promise.allSettled(all)) expect(one.status).toBe("rejected");
    expect(stopped()).toBe(5);
  });

  it("end after two minutes", async () => {
    const { vendor } = slowVendor();
    const clock = new ManualClock();
    const speech = new AppSpeech({ vendors: new Map([["slow", vendor]]), clock });
    const spoken = speech.speak({ ...asked, orgId: "org_1", signal: new AbortController().signal });
    const outcome = expect(spoken).rejects.toMatchObject({ code: "deadline_exceeded" });
    clock.advance(120_000);
    await outcome;
  });
});
