import { readFileSync } from "node:fs";

/** Clock ticks of /proc a second; 100 on every Linux that Node runs on. */
const TICKS_PER_SEC = 100;
const PAGE_BYTES = 4_096;
/** Fields of /proc/<pid>/stat after the command's closing bracket (proc(5)): utime and stime. */
const UTIME = 11;
const STIME = 12;

/** What a process has used so far. */
export interface ProcessUsage {
  readonly cpuMs: number;
  readonly rssBytes: number;
}

/** CPU of all threads and resident memory of a process on this machine (Linux). */
export function usageOf(pid: number): ProcessUsage {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[UTIME]) + Number(fields[STIME]);
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  return { cpuMs: (ticks * 1000) / TICKS_PER_SEC, rssBytes: pages * PAGE_BYTES };
}
