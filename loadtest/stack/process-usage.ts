import { readFileSync } from "node:fs";

/** Clock ticks of /proc per second; 100 on every Linux that Node runs on. */
const TICKS_PER_SEC = 100;
const PAGE_BYTES = 4_096;
/** Fields of /proc/<pid>/stat after the command's closing parenthesis (proc(5)): utime and stime. */
const UTIME = 11;
const STIME = 12;

/** A process's usage so far. */
export interface ProcessUsage {
  readonly cpuMs: number;
  readonly rssBytes: number;
}

/** CPU of all threads and resident memory of a local process (Linux). */
export function usageOf(pid: number): ProcessUsage {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[UTIME]) + Number(fields[STIME]);
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  return { cpuMs: (ticks * 1000) / TICKS_PER_SEC, rssBytes: pages * PAGE_BYTES };
}
