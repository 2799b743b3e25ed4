import { statfs } from "node:fs/promises";
import type { Metrics } from "./metrics.ts";

/** Puts the room on the disk of `dataDir` into the metrics; both figures are NaN where it cannot be told. */
export async function measureDiskRoom(
  dataDir: string,
  { dataDiskFreeBytes, dataDiskSizeBytes }: Pick<Metrics, "dataDiskFreeBytes" | "dataDiskSizeBytes">,
): Promise<void> {
  const disk = await statfs(dataDir).catch(() => undefined);
  // What this process may still write: a part of the disk is kept for root.
  dataDiskFreeBytes.set(disk ? disk.bavail * disk.bsize : Number.NaN);
  dataDiskSizeBytes.set(disk ? disk.blocks * disk.bsize : Number.NaN);
}
