import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bus } from "@parley/shared/bus/bus.ts";
import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { createLogger } from "@parley/shared/log.ts";
import {
  createTicketSigner,
  generateTicketKeys,
  type TicketSigner,
} from "@parley/shared/security/tickets.ts";
import { TEST_PLAN_KEY } from "../../../testkit/plan-key.ts";
import { freePort, startRedis, type TestRedis } from "../../../testkit/redis.ts";
import { type LaunchOptions, ServerProcess } from "../../../testkit/server-process.ts";
import { leavePlan, type PlanInput } from "../../../testkit/session-plan.ts";
import { DrillCall } from "./drill-call.ts";
import type { GatewayProcess } from "./installation.ts";

/** One gateway process with a Redis of its own and no control API: plans and tickets are the drill's. */
export class LoneNode implements GatewayProcess {
  readonly server: ServerProcess;
  readonly nodeId: string;
  readonly publicUrl: string;
  readonly dataDir: string;
  readonly bus: Bus;
  readonly #redis: TestRedis;
  readonly #tickets: TicketSigner;

  private constructor(
    parts: GatewayProcess & { dataDir: string; bus: Bus; redis: TestRedis; tickets: TicketSigner },
  ) {
    this.server = parts.server;
    this.nodeId = parts.nodeId;
    this.publicUrl = parts.publicUrl;
    this.dataDir = parts.dataDir;
    this.bus = parts.bus;
    this.#redis = parts.redis;
    this.#tickets = parts.tickets;
  }

  static async start(options: Partial<LaunchOptions> = {}): Promise<LoneNode> {
    const redis = await startRedis(await freePort());
    const url = `redis://127.0.0.1:${redis.port}`;
    const dataDir = await mkdtemp(join(tmpdir(), "parley-lone-node-"));
    const keys = generateTicketKeys();
    const { server, ready } = await ServerProcess.start("gateway/main.ts", {
      ...options,
      env: {
        GATEWAY_PORT: "0",
        DATA_DIR: dataDir,
        FRONT_END: "false",
        REDIS_URL: url,
        TICKET_PUBLIC_KEY: keys.publicKeyPem,
        PLAN_KEY: TEST_PLAN_KEY,
        ALLOW_PRIVATE_TARGETS: "127.0.0.0/8,::1/128",
        ...options.env,
      },
      readyLine: "gateway ready",
    });
    const log = createLogger({ level: "silent", format: "json", name: "drill" });
    return new LoneNode({
      server,
      nodeId: String(ready.nodeId),
      publicUrl: String(ready.publicUrl),
      dataDir,
      bus: await connectRedisBus({ url, log }),
      redis,
      tickets: createTicketSigner({ privateKeyPem: keys.privateKeyPem, clock: systemClock }),
    });
  }

  async createSession(input: PlanInput): Promise<{ sessionId: string; websocketUrl: string }> {
    const sessionId = await leavePlan(this.bus, this.nodeId, {
      // A fault lasts longer than a silence the agent would ask about.
      silence: { promptAfterMs: 0, hangupAfterMs: 0 },
      ...input,
    });
    const ticket = await this.#tickets.sign({ sessionId, orgId: "org_test", kind: "call" });
    return { sessionId, websocketUrl: `${this.publicUrl}/v1/calls/${sessionId}?ticket=${ticket}` };
  }

  /** Creates a session and connects its caller. */
  async call(input: PlanInput): Promise<DrillCall> {
    return DrillCall.start(await this.createSession(input));
  }

  async remove(): Promise<void> {
    await this.bus.close();
    await this.server.kill();
    await this.#redis.kill();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
