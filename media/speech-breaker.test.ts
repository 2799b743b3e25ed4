import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import { SpeechBreakers } from "./speech-breaker.ts";
import { SpeechError } from "./speech-error.ts";

const dropped = new SpeechError("acme", "dropped", { retryable: true });
const refused = new SpeechError("acme", "refused", { retryable: false });

function openedBreaker() {
  const clock = new ManualClock();
  const breakers = new SpeechBreakers(clock).of("org_1");
  for (let i = 0; i < 3; i++) breakers.failed("acme", dropped);
  return { clock, breakers };
}

describe("the speech breakers", () => {
  it("skip a vendor after three failures in a row, and no other", () => {
    const breakers = new SpeechBreakers(new ManualClock()).of("org_1");
    breakers.failed("acme", dropped);
    breakers.failed("acme", dropped);
    breakers.succeeded("acme");
    breakers.failed("acme", dropped);
    breakers.failed("acme", dropped);
    expect(breakers.admits("acme")).toBe(true);
    breakers.failed("acme", dropped);
    expect(breakers.admits("acme")).toBe(false);
    expect(breakers.admits("umbrella")).toBe(true);
  });

  it("let one call probe the vendor after the cool-down, the others go on skipping it", () => {
    const { clock, breakers } = openedBreaker();
    clock.advance(14_999);
    expect(breakers.admits("acme")).toBe(false);
    clock.advance(1);
    expect([breakers.admits("acme"), breakers.admits("acme")]).toEqual([true, false]);
  });

  it("take the vendor back when the probe succeeded", () => {
    const { clock, breakers } = openedBreaker();
    clock.advance(15_000);
    breakers.admits("acme");
    breakers.succeeded("acme");
    expect([breakers.admits("acme"), breakers.admits("acme")]).toEqual([true, true]);
  });

  it("wait again when the probe failed, and probe again when it never came back", () => {
    const { clock, breakers } = openedBreaker();
    clock.advance(15_000);
    breakers.admits("acme");
    breakers.failed("acme", dropped);
    clock.advance(14_999);
    expect(breakers.admits("acme")).toBe(false);
    clock.advance(1);
    expect(breakers.admits("acme")).toBe(true);
    clock.advance(15_000);
    expect(breakers.admits("acme")).toBe(true);
  });

  it("skip at once what was refused, for that voice only", () => {
    const clock = new ManualClock();
    const breakers = new SpeechBreakers(clock).of("org_1");
    breakers.failed("acme", refused, "no such voice");
    expect(breakers.admits("acme", "no such voice")).toBe(false);
    expect(breakers.admits("acme", "ada")).toBe(true);
    clock.advance(15_000);
    expect(breakers.admits("acme", "no such voice")).toBe(true);
  });

  it("remember a bounded number of voices", () => {
    const breakers = new SpeechBreakers(new ManualClock()).of("org_1");
    for (let i = 0; i <= 200; i++) breakers.failed("acme", refused, `voice ${i}`);
    expect(breakers.admits("acme", "voice 0")).toBe(true);
    expect(breakers.admits("acme", "voice 1")).toBe(false);
    expect(breakers.admits("acme", "voice 200")).toBe(false);
  });

  it("skip a vendor for the organization it failed, and for no other", () => {
    const breakers = new SpeechBreakers(new ManualClock());
    for (let i = 0; i < 3; i++) breakers.of("org_1").failed("acme", dropped);
    breakers.of("org_1").failed("umbrella", refused, "ada");
    expect(breakers.of("org_1").admits("acme")).toBe(false);
    expect(breakers.of("org_2").admits("acme")).toBe(true);
    expect(breakers.of("org_2").admits("umbrella", "ada")).toBe(true);
  });
});
