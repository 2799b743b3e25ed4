import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { NODE_KEY_PREFIX, nodeKey } from "@parley/shared/contracts/gateway-nodes.ts";
import { createLogger } from "@parley/shared/log.ts";
import { Redis } from "ioredis";
import { startChild } from "../../stack/child.ts";
import { freePort, redisCommand } from "../../stack/stack.ts";
import type { Bench, Figure } from "../harness/figure.ts";
import { interleaved } from "../harness/rounds.ts";

const CPU = 0;
const ROUNDS = 5;
const PLACEMENTS = 2_000;
const KEYS = 300_000;
const GATEWAYS = [2, 32, 318];
const MAX_US = 1_000;
/** Lists are a second old at most: each placement asks anew. */
const FAR_APART_MS = 2_000;

/** Redis' share of choosing a gateway for a call, however much else is in it. */
export const placement: Bench = {
  name: "placement",
  title: `Placing a call: CPU of Redis, ${KEYS} other keys in it`,
  run: async (say) => {
    const [full, bare] = [await startWorld(), await startWorld()];
    try {
      await full.admin.call("DEBUG", "POPULATE", String(KEYS), "parley:live");
      const figures: Figure[] = [];
      for (const gateways of GATEWAYS) {
        await full.register(gateways);
        await bare.register(gateways);
        const { ours, limit } = await interleaved(ROUNDS, { ours: full.place, limit: bare.place });
        say(`${gateways} gateways: ${ours.median.toFixed(0)} µs`);
        figures.push({
          id: `placement.${gateways}`,
          title: `a call placed, ${gateways} gateways`,
          unit: "µs",
          better: "lower",
          ours,
          limit: { name: "nothing else in it", value: limit },
          target: { text: `under ${MAX_US} µs`, holds: ours.median < MAX_US },
        });
      }
      return figures;
    } finally {
      await full.close();
      await bare.close();
    }
  },
};

async function startWorld() {
  const dir = await mkdtemp(join(tmpdir(), "parley-placement-"));
  const port = await freePort();
  const command = [...redisCommand(port, dir), "--enable-debug-command", "local"] as const;
  const server = await startChild({ command: [...command], cpu: CPU, ready: /Ready to accept connections/ });
  const admin = new Redis({ host: "127.0.0.1", port });
  let nowMs = 0;
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  const log = createLogger({ level: "warn", format: "json", name: "bench" });
  const bus = await connectRedisBus({ url: `redis://127.0.0.1:${port}`, clock, log });
  return {
    admin,
    register: async (gateways: number): Promise<void> => {
      for (let i = 0; i < gateways; i++) {
        const nodeId = `nod_${i}`;
        const publicUrl = `wss://voice.example.com/gateway-${i}`;
        const node = {
          nodeId,
          publicUrl,
          calls: 0,
          maxCalls: 450,
          draining: false,
          sttVendors: ["deepgram"],
        };
        await bus.keys.set(nodeKey(nodeId), JSON.stringify(node), 3_600_000);
      }
    },
    /** µs of Redis' CPU a placement. */
    place: async (): Promise<number> => {
      const before = await cpuUs(admin);
      for (let i = 0; i < PLACEMENTS; i++) {
        nowMs += FAR_APART_MS;
        // As the control API does: the list, and then the one that is chosen.
        const [chosen = ""] = (await bus.keys.list(NODE_KEY_PREFIX)).keys();
        await bus.keys.get(chosen);
      }
      return ((await cpuUs(admin)) - before) / PLACEMENTS;
    },
    close: async (): Promise<void> => {
      admin.disconnect();
      await bus.close();
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The CPU time of Redis so far, in µs. */
async function cpuUs(admin: Redis): Promise<number> {
  const info = await admin.info("cpu");
  const secs = [...info.matchAll(/^used_cpu_(?:sys|user):(\S+)/gm)].map(([, value]) => Number(value));
  return secs.reduce((sum, one) => sum + one, 0) * 1_000_000;
}
