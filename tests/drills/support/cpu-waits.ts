import { readdir, readFile } from "node:fs/promises";

const NANOSECONDS_A_MS = 1_000_000;

/**
 * For how long the threads of a process were ready to run and had no core, in ms, since it began: what a busy machine, not
 * the process, is to blame for (https://docs.kernel.org/scheduler/sched-stats.html). 0 where the kernel does not say.
 */
export async function waitedForCpuMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const waits = threads.map(async (thread) => {
    const stat = await readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8").catch(() => "0 0 0");
    return Number(stat.split(" ")[1]) / NANOSECONDS_A_MS;
  });
  return (await Promise.all(waits)).reduce((sum, waitMs) => sum + waitMs, 0);
}
