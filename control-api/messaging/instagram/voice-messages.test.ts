import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { TestBrain } from "../../../testkit/brain.ts";
import { type FakeAccount, FakeInstagram } from "../../../testkit/fakes/messaging/instagram.ts";
import { type FakeDeepgram, startFakeDeepgram } from "../../../testkit/fakes/speech/deepgram.ts";
import type { FakeRecognizer } from "../../../testkit/fakes/speech/fake-speech.ts";
import { type FakeOpenAi, startFakeOpenAi } from "../../../testkit/fakes/speech/openai.ts";
import { connectInstagram } from "../../../testkit/messaging.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { flite } from "../../../testkit/speech.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";

const SOON = { timeout: 90_000, interval: 20 };
const NOT_UNDERSTOOD = "You said: [The contact sent a voice message that could not be understood]";

const message = await readFile(new URL("../../../testkit/sounds/table-for-two.m4a", import.meta.url));
let heard: { readonly bytes: Buffer; readonly contentType: string }[] = [];
let instagram: FakeInstagram;
let deepgram: FakeDeepgram;
let openai: FakeOpenAi;
let webhooks: TestWebhooks;
let brain: TestBrain;
let person: TestPerson;
let account: FakeAccount;
let callbackUrl: string;
let agentId: string;
let contacts = 0;

const recognizerOf = (vendor: string): FakeRecognizer => ({
  interim: () => "",
  final: async () => "",
  file: async (bytes, contentType) => {
    heard.push({ bytes: Buffer.from(bytes), contentType });
    return `a table for two, says ${vendor}`;
  },
});

beforeAll(async () => {
  const speech = { apiKey: "key", voice: flite };
  deepgram = await startFakeDeepgram({ ...speech, recognizer: recognizerOf("deepgram") });
  openai = await startFakeOpenAi({ ...speech, recognizer: recognizerOf("openai") });
  instagram = await FakeInstagram.start();
  const env = {
    ...{ DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: deepgram.url },
    ...{ OPENAI_API_KEY: "key", OPENAI_BASE_URL: openai.url },
    INTEGRATION_URLS: `instagram=${instagram.url}`,
  };
  webhooks = await TestWebhooks.start({ env });
  instagram.nowMs = () => webhooks.clock.wallMs();
  person = await TestPerson.register(webhooks.api);
  brain = await TestBrain.start((turn) => {
    turn.token(`You said: ${turn.request.query}`);
    turn.done();
  });
  const agent = await person.call("POST", "/api/agents", { name: "Anna", brain: { url: brain.url } });
  agentId = (agent.body.data as { id: string }).id;
  const connected = await connectInstagram(person, instagram, agentId);
  account = connected.account;
  callbackUrl = connected.channel.webhook.callbackUrl;
});
beforeEach(() => {
  heard = [];
  deepgram.faults.clear();
});
afterAll(async () => {
  brain.close();
  await webhooks.close();
  await deepgram.close();
  await openai.close();
  instagram.close();
});

/** Sends a voice message to an agent with these recognizers; returns the answer. */
async function answerTo(bytes: Buffer, vendors: readonly string[]): Promise<string> {
  const stt = vendors.map((vendor) => ({ vendor, language: "en-US" }));
  await person.call("PATCH", `/api/agents/${agentId}`, { stt });
  const contact = `80000000000${++contacts}`;
  const url = instagram.addMedia("audio/mp4", bytes);
  const attachments = [{ type: "audio", payload: { url } }];
  await instagram.post(callbackUrl, account, instagram.inbound(account, contact, { attachments }));
  return vi.waitFor(() => {
    const [text] = instagram.textsTo(contact);
    if (text === undefined) throw new Error("no answer yet");
    return text;
  }, SOON);
}

describe("a voice message of Instagram", () => {
  it.each(["deepgram", "openai"])("is sent as it is to %s, which decodes it", async (vendor) => {
    expect(await answerTo(message, [vendor])).toBe(`You said: a table for two, says ${vendor}`);
    expect(heard).toEqual([{ bytes: message, contentType: "audio/mp4" }]);
  });

  it("is heard by the agent's next recognizer when the first one fails", async () => {
    deepgram.faults.set({ kind: "status", status: 503 });
    expect(await answerTo(message, ["deepgram", "openai"])).toBe("You said: a table for two, says openai");
  });

  it("is heard by another recognizer where the agent's own takes no files", async () => {
    expect(await answerTo(message, ["client"])).toContain("a table for two");
  });

  it("is counted by the second of its own length", async () => {
    await answerTo(message, ["deepgram"]);
    const rows = await webhooks.api.database.db
      .selectFrom("usage_rows")
      .select(["vendor", "channel", "quantity"])
      .where("metric", "=", "stt_seconds")
      .orderBy("at", "desc")
      .execute();
    expect(rows[0]).toEqual({ vendor: "deepgram", channel: "instagram", quantity: "3" });
  });

  it("of more than ten minutes, or that is broken, is told to the agent as not understood", async () => {
    const long = Buffer.from(message);
    long.writeUInt32BE(601_000, long.indexOf("mvhd") + 20);
    expect(await answerTo(long, ["deepgram"])).toBe(NOT_UNDERSTOOD);
    expect(await answerTo(message.subarray(0, 50), ["deepgram"])).toBe(NOT_UNDERSTOOD);
    expect(heard).toEqual([]);
  });
});
