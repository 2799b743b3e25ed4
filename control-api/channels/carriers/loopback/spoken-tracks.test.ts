import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createResampler } from "@parley/media/resample/resampler.ts";
import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeDeepgram, startFakeDeepgram } from "../../../../testkit/fakes/speech/deepgram.ts";
import {
  createFliteVoice,
  createScriptedRecognizer,
  type FakeRecognizer,
  joined,
} from "../../../../testkit/fakes/speech/fake-speech.ts";
import { FOUND, likeness } from "../../../../testkit/likeness.ts";
import { STAY } from "../../../../testkit/softphones.ts";
import { flite } from "../../../../testkit/speech.ts";
import { TestTelephony } from "../../../../testkit/telephony.ts";
import { uploadTrack } from "../../../../testkit/tracks.ts";
import { openStoredFiles, type StoredFiles } from "../../../records/recordings/stored-files.ts";
import { SpokenTracks } from "./spoken-tracks.ts";

const OTHER = "This is the other track, which nobody has asked for.";
const SPOKEN = "The quick brown fox would like to have a table for two.";
const GREETING = "Hello.";
/** What the recognizer makes of whatever it hears. */
const UNDERSTOOD = "A table for two.";
const NOTHING = "I have nothing to play. Please upload a WAV file on the page Tracks.";

let vendor: FakeDeepgram;
let phones: TestTelephony;
/** What the agent's recognizer was given, so far. */
const recognized: Int16Array[] = [];
beforeAll(async () => {
  const scripted = createScriptedRecognizer([UNDERSTOOD]);
  const recognizer: FakeRecognizer = {
    ...scripted,
    final: (samples) => {
      recognized.push(samples);
      return scripted.final(samples);
    },
  };
  vendor = await startFakeDeepgram({ apiKey: "key", voice: createFliteVoice(), recognizer });
  phones = await TestTelephony.start({
    builtInPhones: true,
    answer: "Yes.",
    env: { DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: vendor.url },
    settings: { firstResponse: GREETING, recording: true },
  });
});
afterAll(async () => {
  await phones.close();
  await vendor.close();
});

async function upload(text: string, sampleRateHz = 16_000): Promise<{ id: string; path: string }> {
  const { api, organization } = phones;
  const resampler = await createResampler(16_000, sampleRateHz);
  const wav = encodeWav(resampler.process(await flite(text)).slice(), sampleRateHz);
  const { orgId, keys } = organization;
  const { id } = await uploadTrack(api, { orgId, key: keys.developer, wav });
  return { id, path: join(api.dataDir, "recordings", "tracks", orgId, `${id}.wav`) };
}

describe("a phone that speaks a WAV file", () => {
  it("speaks the organization's newest track: the agent and the recording hear that very sound", async () => {
    await upload(OTHER);
    await upload(SPOKEN, 44_100);
    const recognizedBefore = recognized.length;
    const { sessionId } = await phones.dial("+12025550109");
    const { transcript } = await phones.untilStatus(sessionId, "completed");
    expect(transcript.map(({ text }) => text)).toEqual([GREETING, UNDERSTOOD, "Yes."]);
    const { left } = await phones.recordingOf(sessionId);
    for (const heard of [left, joined(recognized.slice(recognizedBefore))]) {
      expect(likeness(heard, await flite(SPOKEN))).toBeGreaterThan(FOUND);
      expect(likeness(heard, await flite(OTHER))).toBeLessThan(FOUND);
    }
  });

  it("speaks the track that a script names, and only one of its own organization", async () => {
    const { orgId, agentId } = phones.organization;
    const to = "+12025554901";
    await phones.request("POST", "/api/v1/numbers", { number: to, agentId });
    await phones.api.database.db
      .insertInto("memberships")
      .values({ org_id: orgId, user_id: phones.organization.userId, role: "owner" })
      .execute();
    const named = await upload(OTHER);
    await upload(SPOKEN);
    const callIn = (trackId: string) =>
      phones.request("POST", `/api/orgs/${orgId}/loopback-calls`, {
        to,
        script: [{ do: "play", trackId }, { do: "hangUp" }],
      });
    const answer = await callIn(named.id);
    expect(answer.status, answer.text).toBe(201);
    const { sessionId } = answer.body.data as { sessionId: string };
    await phones.untilStatus(sessionId, "completed");
    const { left } = await phones.recordingOf(sessionId);
    expect(likeness(left, await flite(OTHER))).toBeGreaterThan(FOUND);
    const strangers = await phones.api.createOrganization();
    const wav = encodeWav(await flite(SPOKEN), 16_000);
    const theirs = await uploadTrack(phones.api, {
      orgId: strangers.orgId,
      key: strangers.keys.developer,
      wav,
    });
    expect(await callIn(theirs.id)).toMatchObject({
      status: 404,
      body: { error: `There is no track ${theirs.id} in this organization.` },
    });
  });

  it.each([
    ["is no WAV file any more", (path: string) => writeFile(path, "<html>"), "not a WAV file"],
    ["is gone from where it was stored", (path: string) => rm(path), "ENOENT"],
  ])(
    "says so when it %s, and goes on; the log has why",
    async (_what, spoil, why) => {
      const { path } = await upload(SPOKEN);
      await spoil(path);
      const { sessionId, callSid } = await phones.dial("+12025550109");
      const { transcript, endReason } = await phones.untilStatus(sessionId, "completed");
      expect(transcript.map(({ text }) => text)).toEqual([GREETING, UNDERSTOOD, "Yes."]);
      expect(endReason).toBeNull();
      const { left } = await phones.recordingOf(sessionId);
      expect(likeness(left, await flite(NOTHING, "rms"))).toBeGreaterThan(FOUND);
      const line = phones.api.logged.find(
        (entry) => entry.includes("no track to play") && entry.includes(callSid ?? ""),
      );
      expect(line).toContain(why);
    },
    40_000,
  );
});

it("phones that speak the same track at the same time read it once", async () => {
  const { database, dataDir } = phones.api;
  const { id } = await upload(SPOKEN);
  const { sessionId } = await phones.dial(
    phones.phone("+12025550301", { ringMs: 0, outcome: "answers", steps: [STAY] }),
  );
  const files = openStoredFiles({ dataDir, s3: {} } as Parameters<typeof openStoredFiles>[0]);
  let reads = 0;
  const recordings: StoredFiles = {
    ...files,
    open: (key, range) => {
      reads += 1;
      return files.open(key, range);
    },
  };
  const tracks = new SpokenTracks({ database, recordings });
  const open = () => tracks.open({ sessionId, trackId: id });
  const [one, other] = await Promise.all([open(), open()]);
  expect(reads).toBe(1);
  expect(one?.next()).toEqual(other?.next());
  one?.stop();
  const third = await open();
  expect(reads).toBe(1);
  for (const track of [other, third]) track?.stop();
  (await open()).stop();
  expect(reads).toBe(2);
  await phones.request("DELETE", `/api/sessions/${sessionId}`);
});
