import { expect, it } from "vitest";
import { type EchoKind, interrupt, listenToItself } from "../../testkit/echo-trials.ts";

/** Calls in which an agent stopped for its own voice before its waveform, or a pause's, was compared (`scripts/echo-trials.ts`). */
it.each<[EchoKind, number]>([
  ["steady", 1],
  ["steady", 3],
  ["jumps", 3],
  ["jumps", 9],
  ["begins", 4],
  ["begins", 10],
  ["level", 4],
  ["noisy", 1],
  ["clipped", 2],
  ["speaker", 1],
  ["hall", 4],
  ["misheard", 3],
  ["residual", 4],
  ["residual", 5],
  ["encouraged", 8],
  ["encouraged", 13],
  ["level", 12],
  ["jumps", 28],
])("an agent whose echo is of the kind %s (%i) says all it has to say", async (kind, seed) => {
  const { stops, ghosts, hasSaidAll } = await listenToItself(kind, seed);
  expect({ stops, ghosts, hasSaidAll }).toEqual({ stops: [], ghosts: [], hasSaidAll: true });
});

it.each<[EchoKind, number]>([
  ["steady", 10],
  ["loud", 8],
  ["level", 1],
  ["sameVoice", 2],
])("a caller interrupts an agent whose echo is of the kind %s (%i) within a second", async (kind, seed) => {
  const { silentMs, query } = await interrupt(kind, seed);
  expect(silentMs).toBeLessThan(1_000);
  expect(query).toContain("I only want to hear about the");
});
