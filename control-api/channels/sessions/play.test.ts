import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { generateDtmf } from "@parley/media/dtmf/generator.ts";
import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { keysIn, LOUD, loudness, STAY, TestSoftphones } from "../../../testkit/softphones.ts";
import type { TestTelephony } from "../../../testkit/telephony.ts";
import { uploadTrack } from "../../../testkit/tracks.ts";

let softphones: TestSoftphones;
let phones: TestTelephony;
beforeAll(async () => {
  softphones = await TestSoftphones.start();
  phones = softphones.telephony;
});
afterAll(() => softphones.close());

describe("playing audio into a call", () => {
  const files = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    response.writeHead(file ? 200 : 404).end(file);
  });
  let base = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const wav = (samples: Int16Array) => Buffer.from(encodeWav(samples, 16_000));
    const long = new Int16Array(16_000 * 20);
    for (let at = 0; at < long.length; at++) long[at] = 8_000 * Math.sin((2 * Math.PI * 300 * at) / 16_000);
    files.set("/long.wav", wav(long));
    files.set("/keys.wav", wav(generateDtmf("5")));
    files.set("/other.wav", wav(generateDtmf("7")));
    files.set("/page.html", Buffer.from("<html>"));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  /** A track that presses a key. */
  const upload = ({ orgId, keys }: TestOrganization) =>
    uploadTrack(phones.api, { orgId, key: keys.developer, wav: files.get("/keys.wav") ?? Buffer.alloc(0) });
  const play = (sessionId: string, body: unknown) =>
    phones.request("POST", `/api/sessions/${sessionId}/play`, body);

  it("is heard on the phone with no softphone there; a new file takes the place of the one before", async () => {
    const { sessionId } = await softphones.place(softphones.phone([STAY]));
    await phones.untilStatus(sessionId, "in-progress");
    const answer = await play(sessionId, { url: `${base}/long.wav` });
    expect(answer.body).toEqual({ success: true, data: { sessionId, durationMs: 20_000 } });
    await expect
      .poll(() => loudness(softphones.heardBy(sessionId)), { timeout: 90_000 })
      .toBeGreaterThan(LOUD);
    await play(sessionId, { url: `${base}/keys.wav` });
    await expect.poll(() => keysIn(softphones.heardBy(sessionId)), { timeout: 90_000 }).toBe("5");
    const frames = () => phones.heard.get(sessionId)?.length ?? 0;
    expect(frames()).toBeLessThan(900);
  });

  it("empties the buffers of the softphone when a new file takes the place of one, and not before", async () => {
    const { call, softphone } = await softphones.talkTo(softphones.phone([STAY]));
    const clears = () => softphone.messages.filter(({ type }) => type === "clear").length;
    await play(call.sessionId, { url: `${base}/long.wav` });
    expect(clears()).toBe(0);
    await play(call.sessionId, { url: `${base}/keys.wav` });
    await softphone.next("clear");
    expect(clears()).toBe(1);
  });

  it("is heard from the organization's own library, by the id of a track", async () => {
    const data = await upload(phones.organization);
    const { call } = await softphones.talkTo(softphones.phone([STAY]));
    const answer = await play(call.sessionId, { trackId: data.id });
    expect(answer.body.data).toEqual({ sessionId: call.sessionId, durationMs: data.durationMs });
    await expect.poll(() => keysIn(softphones.heardBy(call.sessionId)), { timeout: 90_000 }).toBe("5");
  });

  it("is not heard from the library of another organization, nor from a track that was deleted", async () => {
    const other = await phones.api.createOrganization();
    const mine = phones.organization;
    const { call } = await softphones.talkTo(softphones.phone([STAY]));
    for (const organization of [other, mine]) {
      const { id } = await upload(organization);
      if (organization === mine)
        await phones.request("DELETE", `/api/orgs/${mine.orgId}/ambient-tracks/${id}`);
      expect(await play(call.sessionId, { trackId: id })).toMatchObject({
        status: 404,
        body: { code: "not_found", error: expect.stringContaining(id) },
      });
    }
    await play(call.sessionId, { url: `${base}/other.wav` });
    await expect.poll(() => keysIn(softphones.heardBy(call.sessionId)), { timeout: 90_000 }).toBe("7");
  });

  it("whose file is gone is refused with what to do, and the call goes on", async () => {
    const { orgId } = phones.organization;
    const { id } = await upload(phones.organization);
    await rm(join(phones.api.dataDir, "recordings", "tracks", orgId, `${id}.wav`));
    const { call } = await softphones.talkTo(softphones.phone([STAY]));
    const answer = await play(call.sessionId, { trackId: id });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("upload it again") },
    });
    expect((await play(call.sessionId, { url: `${base}/keys.wav` })).status).toBe(200);
  });

  it.each([
    ["nothing", {}, 400, "exactly one"],
    ["both", { url: "https://a.example/a.wav", trackId: "trk_1" }, 400, "exactly one"],
    ["a track", { trackId: "trk_1" }, 404, "track"],
    ["what is no address", { url: "file:///etc/passwd" }, 400, "url"],
    ["a private address", { url: "http://10.0.0.1/a.wav" }, 400, "private"],
  ])("with %s is refused", async (_what, body, status, named) => {
    const { call } = await softphones.talkTo(softphones.phone([STAY]));
    const answer = await play(call.sessionId, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toContain(named);
  });

  it("that is missing or no WAV file is refused with what is wrong with it", async () => {
    const { call } = await softphones.talkTo(softphones.phone([STAY]));
    expect((await play(call.sessionId, { url: `${base}/none.wav` })).body.error).toContain("404");
    expect((await play(call.sessionId, { url: `${base}/page.html` })).body.error).toContain("not a WAV");
  });

  it("is for live manual calls", async () => {
    const url = `${base}/keys.wav`;
    const agentCall = await phones.dial(softphones.phone([STAY]));
    await phones.untilStatus(agentCall.sessionId, "in-progress");
    expect(await play(agentCall.sessionId, { url })).toMatchObject({ status: 400 });
    expect(await play("ses_none", { url })).toMatchObject({ status: 404 });
    const { call, softphone } = await softphones.talkTo(softphones.phone([STAY]));
    softphone.send({ type: "hangup" });
    await phones.untilStatus(call.sessionId, "completed");
    expect(await play(call.sessionId, { url })).toMatchObject({ status: 404 });
  });
});
