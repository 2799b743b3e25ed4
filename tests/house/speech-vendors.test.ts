import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  SPEECH_VENDORS,
  STT_VENDORS,
  speechSettings,
  TTS_VENDORS,
} from "@parley/shared/contracts/speech-vendors.ts";
import { describe, expect, test } from "vitest";
import { installation, updated } from "../../scripts/update-docs.ts";
import { ROOT } from "../../testkit/product.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const variables = speechSettings().map(({ setting }) => setting.variable);

/** What recognizes in the caller's browser gets no sound, so that there is nothing to compare. */
const recognizers = STT_VENDORS.filter((vendor) => vendor !== "client");

describe("the speech vendors", () => {
  test("have a variable of their own for each setting", () => {
    expect(new Set(variables).size).toBe(variables.length);
  });

  test.each(TTS_VENDORS)("%s has its usual voice among its voices", (vendor) => {
    const { voices, defaultVoice } = SPEECH_VENDORS[vendor].tts;
    expect(voices.map(({ id }): string => id)).toContain(defaultVoice);
  });

  test.each([
    ...recognizers.map((vendor) => ["stt", vendor, "describeSttContract("]),
    ...TTS_VENDORS.map((vendor) => ["tts", vendor, "describeTtsContract("]),
  ])("run the contract suite of %s as %s", (room, vendor, suite) => {
    const path = `media/${room}/${vendor}.test.ts`;
    expect(existsSync(join(ROOT, path)), path).toBe(true);
    expect(read(path)).toContain(suite);
  });
});

describe.each(installation())("%s", (path) => {
  const text = read(path);

  test("has the speech vendors' variables as they are (npx node scripts/update-docs.ts)", () => {
    expect(updated(text)).toBe(text);
    for (const variable of variables) expect(text).toMatch(new RegExp(`^ *${variable}[=:]`, "m"));
  });
});
