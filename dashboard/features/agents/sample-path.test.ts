import { expect, it } from "vitest";
import { samplePath } from "./sample-path.ts";

it("a sample is asked for as the first voice is set now, saved or not", () => {
  const draft = {
    tts: [{ vendor: "openai", voice: "verse", model: "tts-1" }, { vendor: "flite" }],
    sound: { speed: 1.2, volumeDb: -3, background: "cafe", backgroundVolumeDb: 2 },
  };
  expect(samplePath(draft)).toBe(
    "/api/providers/openai/samples/verse?model=tts-1&speed=1.2&volumeDb=-3&background=cafe&backgroundVolumeDb=2",
  );
});

it("a sample is in the provider's usual voice where none is chosen", () => {
  expect(samplePath({ tts: [{ vendor: "deepgram" }] })).toBe(
    "/api/providers/deepgram/samples/aura-2-thalia-en",
  );
  expect(samplePath({})).toBe("/api/providers/flite/samples/slt");
});
