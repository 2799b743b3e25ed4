import { statfs } from "node:fs/promises";
import type { Metrics } from "./metrics.ts";

/** Records the room on the disk of `dataDir` in the metrics; both figures are NaN when it cannot be determined. */
export async function measureDiskRoom(
  dataDir: string,
  { dataDiskFreeBytes, dataDiskSizeBytes }: Pick<Metrics, "dataDiskFreeBytes" | "dataDiskSizeBytes">,
): Promise<void> {
  const disk = await statfs(dataDir).catch(() => undefined);
  // Available to this process: part of the disk is reserved for root.
  dataDiskFreeBytes.set(disk ? disk.bavail * disk.bsize : Number.NaN);
  dataDiskSizeBytes.set(disk ? disk.blocks * disk.bsize : Number.NaN);
}
