import { Redis } from "ioredis";
import { vi } from "vitest";
import { freePort, startRedis, type TestRedis } from "./redis.ts";

const SLOTS = 16_384;
const MASTERS = 3;
/** How long a master must be silent before its replica takes over. */
const NODE_TIMEOUT_MS = 1_000;
const MAX_TRIES = 3;
/** Long for what takes a second on a machine with nothing else to do. */
const PATIENCE = { timeout: 90_000, interval: 50 };

interface Node {
  readonly server: TestRedis;
  readonly busPort: number;
  readonly admin: Redis;
}

/** A Redis Cluster for one test: three masters with a replica each. */
export class TestRedisCluster {
  readonly #nodes: readonly Node[];

  private constructor(nodes: readonly Node[]) {
    this.#nodes = nodes;
  }

  /** Resolves once every node knows the whole cluster, and every replica is in step with its master. */
  static async start(): Promise<TestRedisCluster> {
    const nodes = await Promise.all(Array.from({ length: 2 * MASTERS }, startNode));
    const cluster = new TestRedisCluster(nodes);
    await cluster.#join();
    return cluster;
  }

  get url(): string {
    return `redis+cluster://${this.#nodes.map(({ server }) => `127.0.0.1:${server.port}`).join(",")}`;
  }

  /** Kills the master that holds `key`, once its replica has everything it has. */
  async killMasterOf(key: string): Promise<void> {
    const slot = Number(await this.#any().cluster("KEYSLOT", key));
    const master = this.#nodes[Math.min(MASTERS - 1, Math.floor(slot / slotsEach()))];
    if (!master) throw new Error(`no node has the slot ${slot}`);
    // Takes no more writes, so that its replica comes to have all that it has acknowledged.
    await master.admin.call("CLIENT", "PAUSE", String(PATIENCE.timeout), "WRITE");
    await untilTrue(async () => {
      const [, masterOffset = "", replicaOffset = ""] =
        /slave0:.*offset=(\d+).*master_repl_offset:(\d+)/s.exec(await master.admin.info("replication")) ?? [];
      return masterOffset !== "" && masterOffset === replicaOffset;
    });
    await kill(master);
  }

  async remove(): Promise<void> {
    await Promise.all(this.#nodes.map(kill));
  }

  #any(): Redis {
    const node = this.#nodes.find(({ admin }) => admin.status === "ready");
    if (!node) throw new Error("no node is left");
    return node.admin;
  }

  async #join(): Promise<void> {
    const [first, ...others] = this.#nodes;
    if (!first) return;
    const masters = this.#nodes.slice(0, MASTERS);
    for (const [index, { admin }] of masters.entries()) {
      const last = index === MASTERS - 1 ? SLOTS - 1 : (index + 1) * slotsEach() - 1;
      await admin.cluster("ADDSLOTSRANGE", index * slotsEach(), last);
      // Masters that count from one epoch fight over slots first.
      await admin.call("CLUSTER", "SET-CONFIG-EPOCH", String(index + 1));
    }
    for (const { server, busPort } of others)
      await first.admin.call("CLUSTER", "MEET", "127.0.0.1", String(server.port), String(busPort));
    await this.#untilAllSay(/cluster_known_nodes:6\b/);
    for (const [index, { admin }] of this.#nodes.slice(MASTERS).entries()) {
      const masterId = String(await masters[index]?.admin.cluster("MYID"));
      await admin.call("CLUSTER", "REPLICATE", masterId);
      await untilTrue(async () => (await admin.info("replication")).includes("master_link_status:up"));
    }
    await this.#untilAllSay(/cluster_state:ok/);
    // Every node knows whose replica is whose, or a killed master would be missed by nobody.
    await untilTrue(async () => {
      const views = await Promise.all(this.#nodes.map(({ admin }) => admin.cluster("NODES")));
      return views.every((view) => String(view).match(/\bslave [0-9a-f]{40}/g)?.length === MASTERS);
    });
  }

  async #untilAllSay(expected: RegExp): Promise<void> {
    await untilTrue(async () => {
      const views = await Promise.all(this.#nodes.map(({ admin }) => admin.cluster("INFO")));
      return views.every((view) => expected.test(String(view)));
    });
  }
}

function slotsEach(): number {
  return Math.floor(SLOTS / MASTERS);
}

/** A port that was free may be taken before the server has it: then it takes others. */
async function startNode(): Promise<Node> {
  for (let tries = 1; ; tries++) {
    try {
      return await startNodeOnFreePorts();
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
  }
}

async function startNodeOnFreePorts(): Promise<Node> {
  // The bus port is the port plus 10000 unless it is told.
  const busPort = await freePort();
  const server = await startRedis(await freePort(), [
    "cluster-enabled yes",
    `cluster-port ${busPort}`,
    // A node learns its own address late, and clients pass over nodes without one.
    "cluster-announce-ip 127.0.0.1",
    `cluster-node-timeout ${NODE_TIMEOUT_MS}`,
    "cluster-replica-validity-factor 0",
    "repl-diskless-sync-delay 0",
  ]);
  const admin = new Redis({ port: server.port, host: "127.0.0.1", retryStrategy: null });
  admin.on("error", () => undefined);
  return { server, busPort, admin };
}

async function kill({ server, admin }: Node): Promise<void> {
  admin.disconnect();
  await server.kill();
}

async function untilTrue(check: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(check, PATIENCE);
}
