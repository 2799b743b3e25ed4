import type { RedisClient } from "./redis-connections.ts";

/** Runs atomically: a consumer returning between check and removal would lose the entries it had just taken. */
const SCRIPT = `
  local removed = 0
  for _, flat in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
    local consumer = {}
    for i = 1, #flat, 2 do consumer[flat[i]] = flat[i + 1] end
    if consumer.pending == 0 and consumer.idle >= tonumber(ARGV[2]) then
      redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], consumer.name)
      removed = removed + 1
    end
  end
  return removed`;

/**
 * Removes the consumers of a group that were not seen for `idleMs` and hold no entries: each process reads under its
 * own name, and Redis keeps the names of dead ones. A consumer that still holds entries stays until another has
 * claimed them; a merely slow one is recreated by its next read.
 */
export async function forgetConsumers(
  client: RedisClient,
  { key, group, idleMs }: { key: string; group: string; idleMs: number },
): Promise<void> {
  await client.eval(SCRIPT, 1, key, group, String(idleMs));
}

/** The consumers of a group that hold unacknowledged entries. */
export async function consumersWithPending(
  client: RedisClient,
  key: string,
  group: string,
): Promise<string[]> {
  const [, , , consumers] = (await client.xpending(key, group)) as [
    number,
    string | null,
    string | null,
    [name: string, pending: string][] | null,
  ];
  return (consumers ?? []).map(([name]) => name);
}
