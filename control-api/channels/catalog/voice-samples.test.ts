import type { TtsVendor } from "@parley/media/tts/port.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { expect, it } from "vitest";
import { VoiceSamples } from "./voice-samples.ts";

/** A vendor that speaks when it is told to. */
function silentVendor(): { vendor: TtsVendor; speak: () => void } {
  let speak: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    speak = resolve;
  });
  const say = async function* (): AsyncGenerator<Int16Array> {
    await told;
    yield new Int16Array(160);
  };
  return { vendor: { name: "silent", openReply: () => ({ say, close: () => undefined }) }, speak };
}

it("makes two samples of an organization at a time, and those of another beside them", async () => {
  const { vendor, speak } = silentVendor();
  const samples = new VoiceSamples({ vendors: new Map([["silent", vendor]]), clock: new ManualClock() });
  const sound = { speed: 1, volumeDb: 0, background: "none", backgroundVolumeDb: 0 } as const;
  const sample = (orgId: string, voice: string) => samples.of(orgId, { provider: "silent", voice, sound });
  const made = [sample("org_1", "a"), sample("org_1", "b")];
  await expect(sample("org_1", "c")).rejects.toMatchObject({ code: "too_many_requests" });
  made.push(sample("org_2", "c"), sample("org_1", "c"));
  speak();
  for (const wav of await Promise.all(made)) expect(wav.length).toBeGreaterThan(320);
  expect((await sample("org_1", "d")).length).toBeGreaterThan(320);
  await samples.close();
});
