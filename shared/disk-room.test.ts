import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { measureDiskRoom } from "./disk-room.ts";
import { createMetrics } from "./metrics.ts";

async function roomOf(dataDir: string): Promise<{ free: number; size: number }> {
  const metrics = createMetrics();
  await measureDiskRoom(dataDir, metrics);
  const [free, size] = await Promise.all([metrics.dataDiskFreeBytes.get(), metrics.dataDiskSizeBytes.get()]);
  return { free: free.values[0]!.value, size: size.values[0]!.value };
}

describe("the room on a disk", () => {
  it("is told with the disk's size", async () => {
    const { free, size } = await roomOf(tmpdir());
    expect(free).toBeGreaterThan(0);
    expect(size).toBeGreaterThan(free);
  });

  it("is unknown where there is no such folder: no alert may fire for a disk that was not looked at", async () => {
    expect(await roomOf("/nowhere/at/all")).toEqual({ free: Number.NaN, size: Number.NaN });
  });
});
