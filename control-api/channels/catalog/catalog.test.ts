import { FLITE_VOICES } from "@parley/media/tts/flite.ts";
import { readPlayableWav } from "@parley/media/wav/playable-wav.ts";
import { FIELDS } from "@parley/shared/config/fields.ts";
import { PROVIDERS, type Provider } from "@parley/shared/contracts/providers.ts";
import { SPEECH_VENDORS, STT_VENDORS, TTS_VENDORS } from "@parley/shared/contracts/speech-vendors.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";

let api: TestControlApi;
let key: string;
beforeAll(async () => {
  api = await TestControlApi.start({
    env: { DEEPGRAM_API_KEY: "secret-deepgram-key", DEEPGRAM_URL: "http://127.0.0.1:9" },
  });
  key = (await api.createOrganization()).keys.viewer;
});
afterAll(() => api.close());

const get = (path: string) => api.call("GET", path, { key });
async function provider(id: string): Promise<Provider> {
  return (await get(`/api/providers/${id}`)).body.data as Provider;
}

describe("the catalog", () => {
  it("lists recognizers, voices, models and carriers, of every provider there is", async () => {
    const { body, text } = await get("/api/catalog");
    const data = body.data as Record<string, Provider[]>;
    const idsOf = (kind: string) => data[kind]?.map(({ id }) => id);
    expect(idsOf("recognizers")).toEqual(STT_VENDORS);
    expect(idsOf("voices")).toEqual(TTS_VENDORS);
    expect(idsOf("models")).toEqual(["openai"]);
    expect(idsOf("carriers")).toEqual(["loopback", "twilio", "telnyx", "plivo", "vonage"]);
    expect(text).not.toContain("secret-deepgram-key");
  });

  it("says what can be used, and names what the rest needs", async () => {
    expect(await provider("flite")).toMatchObject({
      available: true,
      needs: [],
      speech: { speeds: { min: 0.5, max: 2 } },
    });
    expect((await provider("deepgram")).speech?.speeds).toBeNull();
    expect(await provider("deepgram")).toMatchObject({ available: true, needs: [] });
    expect(await provider("openai")).toMatchObject({
      available: false,
      needs: [{ kind: "setting", name: "OPENAI_API_KEY" }],
    });
    expect((await provider("openai")).speech?.voices[0]?.sampleUrl).toBeNull();
    expect(await provider("twilio")).toMatchObject({
      available: false,
      needs: [
        { kind: "credential", name: "accountSid" },
        { kind: "credential", name: "authToken" },
      ],
    });
    expect((await get("/api/providers/nobody")).status).toBe(404);
    const { providers, total } = (await get("/api/providers")).body.data as {
      providers: Provider[];
      total: number;
    };
    expect(providers.map(({ id }) => id)).toEqual(Object.keys(PROVIDERS));
    expect(total).toBe(providers.length);
  });

  it("names settings that exist, and the voices that the built-in one has", () => {
    const settings = Object.values(PROVIDERS).flatMap(({ setting }) => setting ?? []);
    for (const setting of settings) expect(Object.keys(FIELDS)).toContain(setting);
    expect(SPEECH_VENDORS.flite.tts.voices.map(({ id }) => id).toSorted()).toEqual(FLITE_VOICES.toSorted());
    for (const { voices, defaultVoice } of TTS_VENDORS.map((name) => SPEECH_VENDORS[name].tts))
      expect(voices.map(({ id }) => String(id))).toContain(defaultVoice);
  });
});

describe("a voice's sample", () => {
  it("is a sentence to listen to, the same one each time", async () => {
    const listed = (await provider("flite")).speech?.voices.find(({ isDefault }) => isDefault);
    const listen = async () => {
      const response = await fetch(api.api.baseUrl + listed?.sampleUrl, { headers: { "x-api-key": key } });
      expect(response.headers.get("content-type")).toBe("audio/wav");
      return new Uint8Array(await response.arrayBuffer());
    };
    const [first, second] = await Promise.all([listen(), listen()]);
    const { samples, sampleRateHz } = readPlayableWav(first ?? new Uint8Array());
    expect(samples.length / sampleRateHz).toBeGreaterThan(1.5);
    expect(Math.max(...samples)).toBeGreaterThan(1_000);
    expect(second).toEqual(first);
  });

  it("sounds as the agent's settings have it", async () => {
    const listen = async (query: string): Promise<Int16Array> => {
      const url = `${api.api.baseUrl}/api/providers/flite/samples/slt${query}`;
      const response = await fetch(url, { headers: { "x-api-key": key } });
      return Int16Array.from(readPlayableWav(new Uint8Array(await response.arrayBuffer())).samples);
    };
    const [plain, quick, soft] = [await listen(""), await listen("?speed=2"), await listen("?volumeDb=-20")];
    expect(quick.length / plain.length).toBeCloseTo(0.5, 1);
    expect(Math.max(...soft) / Math.max(...plain)).toBeCloseTo(0.1, 2);
    expect(await get("/api/providers/flite/samples/slt?speed=9")).toMatchObject({ status: 400 });
    const inCafe = await listen("?background=cafe");
    expect(inCafe.length - plain.length).toBe(2 * 16_000);
    expect(Math.max(...inCafe.slice(8_000, 16_000))).toBeGreaterThan(100);
    expect(await get("/api/providers/flite/samples/slt?background=beach")).toMatchObject({ status: 400 });
    expect(await get("/api/providers/flite/samples/slt?backgroundVolumeDb=7")).toMatchObject({ status: 400 });
  });

  it("is refused in words without the vendor's key, for unknown voices, and when the vendor fails", async () => {
    const without = await get("/api/providers/openai/samples/alloy");
    expect(without).toMatchObject({ status: 404 });
    expect(without.body.error).toContain("OPENAI_API_KEY");
    expect((await get("/api/providers/flite/samples/nobody")).status).toBe(404);
    expect((await get("/api/providers/client/samples/x")).status).toBe(404);
    expect(await get("/api/providers/deepgram/samples/aura-2-thalia-en")).toMatchObject({
      status: 502,
      body: { code: "vendor_failed" },
    });
  });
});
