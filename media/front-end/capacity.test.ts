import { describe, expect, it } from "vitest";
import { adapt, type Capacity, FULL_CAPACITY, type NodeLoad } from "./capacity.ts";

const IDLE: NodeLoad = { threadBusy: 0.1, loopBusy: 0.2, slowestMs: 3, callShare: 0.1, denoised: 0 };

const after = (looks: number, load: Partial<NodeLoad>, from: Capacity = FULL_CAPACITY): Capacity =>
  Array.from({ length: looks }).reduce<Capacity>((capacity) => adapt(capacity, { ...IDLE, ...load }), from);

describe("what a node lets its calls have", () => {
  it.each([
    ["its thread is busy", { threadBusy: 0.85 }],
    ["its event loop is busy", { loopBusy: 0.9 }],
    ["answers are slow", { slowestMs: 80 }],
    ["it is nearly full of calls", { callShare: 0.95 }],
  ])("is less noise suppression when %s twice in a row", (_why, load) => {
    expect(after(1, { ...load, denoised: 30 }).denoised).toBe(Number.POSITIVE_INFINITY);
    expect(after(2, { ...load, denoised: 30 })).toMatchObject({ denoised: 20, detects: true });
  });

  it("is the cheap detector only when no noise suppression is left to give up", () => {
    const none = after(2, { threadBusy: 1, denoised: 1 });
    expect(none).toMatchObject({ denoised: 0, detects: true });
    expect(after(2, { threadBusy: 1 }, none)).toMatchObject({ denoised: 0, detects: false });
  });

  it("does not change between busy and calm, however long that lasts", () => {
    const less = after(2, { threadBusy: 0.85, denoised: 30 });
    expect(after(1_000, { threadBusy: 0.7, denoised: 20 }, less)).toMatchObject({
      denoised: 20,
      detects: true,
    });
  });

  it("is more again after ten calm looks: the model first, then noise suppression little by little", () => {
    const cheap: Capacity = { detects: false, denoised: 0, busyLooks: 0, calmLooks: 0 };
    expect(after(9, {}, cheap).detects).toBe(false);
    const detecting = after(10, {}, cheap);
    expect(detecting).toMatchObject({ detects: true, denoised: 0 });
    expect(after(9, {}, detecting).denoised).toBe(0);
    expect(after(10, {}, detecting).denoised).toBe(2);
    expect(after(11, { denoised: 2 }, detecting).denoised).toBe(4);
  });
});
