import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildGateway, type Gateway } from "@parley/gateway/build-gateway.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { createLogger } from "@parley/shared/log.ts";
import { createMetrics, type Metrics } from "@parley/shared/metrics.ts";
import { createTicketSigner, generateTicketKeys, type TicketKind } from "@parley/shared/security/tickets.ts";
import { eventsOf } from "./call-events.ts";
import { TEST_PLAN_KEY } from "./plan-key.ts";
import { leavePlan, type PlanInput } from "./session-plan.ts";

export interface GatewayOptions {
  readonly env?: Record<string, string>;
  /** Shared by several gateways of one test; a private in-process bus when absent. */
  readonly bus?: Bus;
  readonly keys?: ReturnType<typeof generateTicketKeys>;
  readonly clock?: Clock;
}

interface TicketInput {
  readonly ttlSecs?: number;
  readonly forSession?: string;
  /** Replaces the key this gateway was started with. */
  readonly privateKeyPem?: string;
}

/** A real gateway on a free port with the in-process bus; torn down by `close`. */
export class TestGateway {
  readonly gateway: Gateway;
  readonly bus: Bus;
  readonly metrics: Metrics;
  readonly dataDir: string;
  readonly keys: ReturnType<typeof generateTicketKeys>;

  private constructor(parts: Pick<TestGateway, "gateway" | "bus" | "metrics" | "dataDir" | "keys">) {
    this.gateway = parts.gateway;
    this.bus = parts.bus;
    this.metrics = parts.metrics;
    this.dataDir = parts.dataDir;
    this.keys = parts.keys;
  }

  static async start(options: GatewayOptions = {}): Promise<TestGateway> {
    const dataDir = await mkdtemp(join(tmpdir(), "parley-gateway-"));
    const config = loadConfig({
      GATEWAY_PORT: "0",
      DATA_DIR: dataDir,
      LOG_LEVEL: "error",
      // Costs a second and 50 MB per gateway: enabled only on request.
      FRONT_END: "false",
      ...options.env,
    });
    const bus = options.bus ?? createMemoryBus({ clock: systemClock });
    const keys = options.keys ?? generateTicketKeys();
    const metrics = createMetrics();
    const gateway = await buildGateway({
      config,
      bus,
      ticketPublicKeyPem: keys.publicKeyPem,
      planKey: TEST_PLAN_KEY,
      allowPrivateTargets: ["127.0.0.0/8", "::1/128"],
      clock: options.clock ?? systemClock,
      log: createLogger({ level: config.log.level, format: "json", name: "test" }),
      metrics,
    });
    return new TestGateway({ gateway, bus, metrics, dataDir, keys });
  }

  get httpUrl(): string {
    return `http://127.0.0.1:${this.gateway.port}`;
  }

  /** Does the control API's work for a web call: leaves a plan on the bus and signs a ticket. */
  async createSession(input: PlanInput = {}): Promise<{ sessionId: string; websocketUrl: string }> {
    const sessionId = await leavePlan(this.bus, this.gateway.nodeId, input);
    return { sessionId, websocketUrl: await this.url("call", sessionId) };
  }

  /** The address of a call, leg or stream socket, with its ticket. */
  async url(kind: TicketKind, sessionId: string, ticket?: TicketInput): Promise<string> {
    const signed = await this.#ticket(kind, sessionId, ticket);
    const path = kind === "stream" ? "streams" : "calls";
    return `${this.gateway.publicUrl}/v1/${path}/${sessionId}?ticket=${signed}`;
  }

  /** The address a carrier brings a call's media to. */
  async mediaUrl(carrier: string, sessionId: string, ticket?: TicketInput): Promise<string> {
    const signed = await this.#ticket("call", sessionId, ticket);
    return `${this.gateway.publicUrl}/v1/media/${carrier}/${sessionId}/${signed}`;
  }

  #ticket(kind: TicketKind, sessionId: string, ticket: TicketInput = {}): Promise<string> {
    const signer = createTicketSigner({
      privateKeyPem: ticket.privateKeyPem ?? this.keys.privateKeyPem,
      clock: systemClock,
    });
    const claims = { sessionId: ticket.forSession ?? sessionId, orgId: "org_test", kind };
    return signer.sign(claims, ticket.ttlSecs);
  }

  /** All events of a call, once its last one is on the durable stream. */
  eventsOf(sessionId: string): Promise<CallEvent[]> {
    return eventsOf(this.bus, sessionId);
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.bus.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
