import { isIP } from "node:net";
import type { Redis } from "ioredis";
import { z } from "zod";
import type { Clock } from "../clock.ts";
import { type ConnectionRole, openSentinel } from "./redis-connections.ts";
import type { RedisTarget } from "./redis-url.ts";

const ASK_EVERY_MS = 1_000;
/** For what processes that ask a moment later still write to the old master. */
const READ_ON_MS = 3 * ASK_EVERY_MS;

const addressSchema = z.tuple([z.string(), z.coerce.number().int()]);
type Address = z.infer<typeof addressSchema>;

/** A sentinel, and the master that it named last. */
interface Adviser {
  readonly sentinel: Redis;
  master: string | undefined;
}

interface Link {
  readonly client: Redis;
  readonly role: ConnectionRole;
}

interface MasterWatchDeps {
  readonly clock: Pick<Clock, "after" | "every">;
  readonly silenceTimeoutMs: number;
}

/**
 * Leaves a master as soon as a sentinel names another one. The one of before goes on taking writes until the sentinels
 * reach it, ten seconds later or never, and forgets them when it follows the new one (docs/decisions/events.md#sentinels-asked).
 * Reads go on there for three seconds, so that what was written meanwhile is not lost.
 */
export class MasterWatch {
  readonly #deps: MasterWatchDeps;
  readonly #masterName: string;
  readonly #advisers: readonly Adviser[];
  readonly #links = new Set<Link>();
  readonly #stopAsking: () => void;
  #cancelReadsLeave: () => void = () => undefined;

  constructor({ hosts, masterName }: Extract<RedisTarget, { hosts: unknown }>, deps: MasterWatchDeps) {
    this.#deps = deps;
    this.#masterName = masterName;
    this.#advisers = hosts.map((host) => ({
      sentinel: openSentinel(host, deps.silenceTimeoutMs),
      master: undefined,
    }));
    // Whether Redis can be reached is for the connections to the master to tell.
    for (const { sentinel } of this.#advisers) {
      sentinel.on("error", () => undefined);
      sentinel.connect().catch(() => undefined);
    }
    this.#stopAsking = deps.clock.every(ASK_EVERY_MS, () => {
      for (const adviser of this.#advisers) void this.#ask(adviser).catch(() => undefined);
    });
  }

  /** A connection to the master. */
  add(client: Redis, role: ConnectionRole): void {
    const link = { client, role };
    this.#links.add(link);
    client.once("end", () => this.#links.delete(link));
  }

  close(): void {
    this.#stopAsking();
    this.#cancelReadsLeave();
    for (const { sentinel } of this.#advisers) sentinel.disconnect();
  }

  async #ask(adviser: Adviser): Promise<void> {
    const answer = await adviser.sentinel.call("SENTINEL", "get-master-addr-by-name", this.#masterName);
    const told = addressSchema.safeParse(answer);
    if (!told.success) return;
    const before = adviser.master;
    adviser.master = told.data.join(" ");
    // A sentinel that is cut off from the others may name an old master for ever: only its news count.
    if (before !== undefined && before !== adviser.master) this.#moveTo(told.data);
  }

  #moveTo(master: Address): void {
    this.#leaveAllBut(master, (role) => role !== "reads");
    this.#cancelReadsLeave();
    this.#cancelReadsLeave = this.#deps.clock.after(READ_ON_MS, () =>
      this.#leaveAllBut(master, (role) => role === "reads"),
    );
  }

  #leaveAllBut(master: Address, isMeant: (role: ConnectionRole) => boolean): void {
    for (const { client, role } of this.#links)
      if (isMeant(role) && !isAt(client.stream, master))
        client.stream?.destroy(new Error("the sentinels name another master"));
  }
}

/** Whether the connection is to that address. A name may stand for any: with the same port, it is not known. */
function isAt(stream: Redis["stream"] | undefined, [host, port]: Address): boolean {
  return stream?.remotePort === port && isIP(host) !== 0 && stream.remoteAddress === host;
}
