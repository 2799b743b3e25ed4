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
  const made = [samples.of("org_1", "silent", "a"), samples.of("org_1", "silent", "b")];
  await expect(samples.of("org_1", "silent", "c")).rejects.toMatchObject({ code: "too_many_requests" });
  made.push(samples.of("org_2", "silent", "c"), samples.of("org_1", "silent", "c"));
  speak();
  for (const wav of await Promise.all(made)) expect(wav.length).toBeGreaterThan(320);
  expect((await samples.of("org_1", "silent", "d")).length).toBeGreaterThan(320);
  await samples.close();
});
