import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { HostileReport } from "./hostile-process.ts";

const PROCESS = fileURLToPath(new URL("hostile-process.ts", import.meta.url));

/** Lets a hostile client at a call socket; resolves with what became of it. */
export async function attack(
  kind: "mute" | "deaf" | "flood" | "nonsense",
  websocketUrl: string,
  amount: number,
): Promise<HostileReport> {
  const args = [PROCESS, kind, websocketUrl, String(amount)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as HostileReport;
}
