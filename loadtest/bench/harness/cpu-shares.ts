import { usageOf } from "../../stack/process-usage.ts";

/** CPU time in µs, by what it was spent on. */
export type CpuShares = Readonly<Record<string, number>>;
/** Processes by what they do; may be others each time. */
export type Pids = () => Promise<Readonly<Record<string, readonly number[]>>>;

/** Starts measuring; the returned function tells the CPU since then, for each of `units`. */
export async function measureCpu(pids: Pids): Promise<(units: number) => Promise<CpuShares>> {
  const before = cpuByPid(Object.values(await pids()).flat());
  return async (units) => {
    const shares = Object.entries(await pids()).map(([name, own]): [string, number] => {
      const now = cpuByPid(own);
      const sumMs = own.reduce((sum, pid) => sum + (now.get(pid) ?? 0) - (before.get(pid) ?? 0), 0);
      return [name, (sumMs * 1_000) / units];
    });
    return Object.fromEntries(shares);
  };
}

/** In ms; leaves out processes that ended meanwhile, or run on another machine. */
function cpuByPid(pids: readonly number[]): Map<number, number> {
  const found = new Map<number, number>();
  for (const pid of pids)
    try {
      found.set(pid, usageOf(pid).cpuMs);
    } catch {
      // Not here.
    }
  return found;
}

/** All of it. */
export function sumOf(shares: CpuShares): number {
  return Object.values(shares).reduce((sum, us) => sum + us, 0);
}

/** As in "process 163 + Postgres 162 + receiver 25 + Redis 8 = 358 µs". */
export function inWords(shares: CpuShares): string {
  const parts = Object.entries(shares).map(([name, us]) => `${name} ${us.toFixed(0)}`);
  return `${parts.join(" + ")} = ${sumOf(shares).toFixed(0)} µs`;
}
