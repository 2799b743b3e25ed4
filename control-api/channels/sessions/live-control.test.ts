import { generateDtmf } from "@parley/media/dtmf/generator.ts";
import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import { PLAY_DEADLINE_MS } from "@parley/shared/contracts/call-commands.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../../testkit/model-brain.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { keysIn, STAY, TestSoftphones } from "../../../testkit/softphones.ts";
import type { TestTelephony } from "../../../testkit/telephony.ts";

const COLLEAGUE = "+12025550990";

let softphones: TestSoftphones;
let phones: TestTelephony;
let others: TestOrganization;
beforeAll(async () => {
  softphones = await TestSoftphones.start();
  phones = softphones.telephony;
  phones.phone(COLLEAGUE, { ringMs: 20_000, outcome: "answers", steps: [] });
  others = await phones.api.createOrganization();
});
afterAll(() => phones.close());

const keys = (pressed: string): Buffer => Buffer.from(encodeWav(generateDtmf(pressed), 16_000));
/** A file whose header is changed at these bytes. */
function changed(bytes: Readonly<Record<number, number>>): Buffer {
  const file = keys("5");
  for (const [at, value] of Object.entries(bytes)) file[Number(at)] = value;
  return file;
}

/** Sessions by what they are at. */
const SESSIONS = {
  nobodys: async () => "ses_none",
  "an agent's that is live": async () => {
    const { sessionId } = await phones.dial(softphones.phone([STAY]));
    await phones.untilStatus(sessionId, "in-progress");
    return sessionId;
  },
  "an agent's that rings": async () => {
    const { sessionId } = await phones.dial(softphones.phone([], { ringMs: 20_000 }));
    await phones.untilStatus(sessionId, "ringing");
    return sessionId;
  },
  "a softphone's that is live": async () => {
    const { sessionId } = await softphones.place(softphones.phone([STAY]));
    await phones.untilStatus(sessionId, "in-progress");
    return sessionId;
  },
  "a softphone's that rings": async () => {
    const { sessionId } = await softphones.place(softphones.phone([], { ringMs: 20_000 }));
    await phones.untilStatus(sessionId, "ringing");
    return sessionId;
  },
  "a softphone's that is over": async () => {
    const { sessionId } = await softphones.place(softphones.phone([], { outcome: "busy" }));
    await phones.untilStatus(sessionId, "busy");
    return sessionId;
  },
  "a browser's": async () => {
    const body = { agentId: phones.organization.agentId };
    const answer = await phones.request("POST", "/api/sessions/init-web-call", body);
    return (answer.body.data as { sessionId: string }).sessionId;
  },
  "a chat's": async () => {
    const body = { agentId: phones.organization.agentId, identifier: "customer-7", input: "Hello?" };
    return String((await phones.request("POST", "/api/v1/chat", body)).body.sessionId);
  },
};
type Session = keyof typeof SESSIONS;

const transfer = (sessionId: string, body: object = { to: COLLEAGUE }) =>
  phones.request("POST", `/api/sessions/${sessionId}/transfer`, body);
const play = (sessionId: string, body: object) =>
  phones.request("POST", `/api/sessions/${sessionId}/play`, body);
const end = (sessionId: string) => phones.request("DELETE", `/api/sessions/${sessionId}`);

describe("a session that is", () => {
  const refused = { transfer: 404, play: 404, end: 404 };
  it.each<[Session, Record<keyof typeof refused, number>]>([
    ["nobodys", refused],
    ["an agent's that rings", { transfer: 400, play: 400, end: 200 }],
    ["an agent's that is live", { transfer: 200, play: 400, end: 200 }],
    ["a softphone's that rings", { transfer: 400, play: 400, end: 200 }],
    ["a softphone's that is live", { transfer: 200, play: 200, end: 200 }],
    ["a softphone's that is over", refused],
    ["a browser's", { transfer: 404, play: 400, end: 200 }],
    ["a chat's", { transfer: 404, play: 400, end: 200 }],
  ])(
    "%s is controlled as far as it can be",
    async (session, expected) => {
      const url = await serve((_, response) => void response.end(keys("5")));
      const sessionId = await SESSIONS[session]();
      const foreign = { key: others.keys.owner };
      const path = `/api/sessions/${sessionId}`;
      const answers = {
        foreign: [
          (await phones.api.call("POST", `${path}/transfer`, { ...foreign, body: { to: COLLEAGUE } })).status,
          (await phones.api.call("POST", `${path}/play`, { ...foreign, body: { url } })).status,
          (await phones.api.call("DELETE", path, foreign)).status,
        ],
        play: (await play(sessionId, { url })).status,
        transfer: (await transfer(sessionId)).status,
        end: (await end(sessionId)).status,
        again: (await end(sessionId)).status,
      };
      expect(answers).toEqual({ ...expected, foreign: [404, 404, 404], again: 404 });
    },
    30_000,
  );
});

describe("a transfer", () => {
  it("of a call that rings yet is told to wait for an answer", async () => {
    const refused = await transfer(await SESSIONS["an agent's that rings"]());
    expect(refused).toMatchObject({ status: 400, body: { code: "bad_request" } });
    expect(refused.body.error).toContain("not answered yet");
  });

  it("is one at a time: a second one is a conflict while the first rings", async () => {
    const sessionId = await SESSIONS["an agent's that is live"]();
    expect((await transfer(sessionId)).status).toBe(200);
    const refused = await transfer(sessionId);
    expect(refused).toMatchObject({ status: 409, body: { success: false, code: "conflict" } });
    await end(sessionId);
  });

  it.each<[string, object, string]>([
    ["nowhere", {}, "to"],
    ["a number without its plus", { to: "12025550150" }, "to"],
    ["a mode nobody knows", { to: COLLEAGUE, mode: "hot" }, "mode"],
    ["a blank whisper", { to: COLLEAGUE, mode: "warm", whisper: " " }, "whisper"],
    ["a whisper of 501 characters", { to: COLLEAGUE, mode: "warm", whisper: "x".repeat(501) }, "whisper"],
    ["a field nobody knows", { to: COLLEAGUE, number: COLLEAGUE }, "number"],
  ])("with %s is refused with the field named", async (_, body, field) => {
    const refused = await transfer("ses_none", body);
    expect(refused).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    expect(refused.body.error).toContain(field);
  });
});

describe("playing into a manual call", () => {
  it("that rings yet is told at once to wait for an answer", async () => {
    const sessionId = await SESSIONS["a softphone's that rings"]();
    const askedMs = performance.now();
    const refused = await play(sessionId, { url: "https://a.example/a.wav" });
    expect(refused).toMatchObject({ status: 400, body: { code: "bad_request" } });
    expect(refused.body.error).toContain("not answered yet");
    expect(performance.now() - askedMs).toBeLessThan(PLAY_DEADLINE_MS / 2);
  });

  it("fetches the file for each play", async () => {
    const files = [keys("1"), keys("2")];
    const url = await serve((_, response) => void response.end(files.shift()));
    const sessionId = await SESSIONS["a softphone's that is live"]();
    for (const heard of ["1", "12"]) {
      expect((await play(sessionId, { url })).status).toBe(200);
      await expect.poll(() => keysIn(softphones.heardBy(sessionId))).toBe(heard);
    }
  });

  it.each<[string, Buffer, string]>([
    ["8 bits a sample", changed({ 34: 8 }), "16-bit PCM"],
    ["a format that is no PCM", changed({ 20: 3 }), "16-bit PCM"],
    ["a rate of nothing", changed({ 24: 1, 25: 0 }), "Hz"],
    ["no RIFF", changed({ 0: 0 }), "not a WAV file"],
  ])("refuses a file with %s in words", async (_, file, named) => {
    const url = await serve((__, response) => void response.end(file));
    const refused = await play(await SESSIONS["a softphone's that is live"](), { url });
    expect(refused).toMatchObject({ status: 400, body: { code: "bad_request" } });
    expect(refused.body.error).toContain(named);
  });

  it.each<[string, object, string]>([
    ["an empty track", { trackId: "" }, "trackId"],
    ["an address of 2,049 characters", { url: `https://a.example/${"a".repeat(2_031)}` }, "url"],
    ["what is no address", { url: "hello" }, "url"],
    ["a field nobody knows", { url: "https://a.example/a.wav", loop: true }, "loop"],
  ])("with %s is refused with the field named", async (_, body, field) => {
    const refused = await play("ses_none", body);
    expect(refused).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    expect(refused.body.error).toContain(field);
  });
});
