import type { GuardedDispatcherOptions } from "./guarded-dispatcher.ts";

/** The limits of requests for one purpose; connections per host are counted per organization and process. */
export interface EgressLimits
  extends Pick<
    GuardedDispatcherOptions,
    "connectTimeoutMs" | "connectionsPerHost" | "keepAliveMs" | "isHttp1Only"
  > {
  /**
   * Only https:, unless ALLOW_PRIVATE_TARGETS allows something: a target registered in development may later lead out
   * of it.
   */
  readonly isHttpsOnlyInProduction?: boolean;
  /** The operator configured the address, which may be private. */
  readonly isTrusted?: boolean;
}

/** Purposes of outgoing requests. */
export type EgressPurpose =
  | "brain"
  | "model"
  | "playback"
  | "webhook"
  | "carrier"
  | "mcp"
  | "integration"
  | "messaging"
  | "knowledge"
  | "app"
  | "payment";

export const EGRESS_PURPOSES: Readonly<Record<EgressPurpose, EgressLimits>> = {
  /** Endpoints, model services, and tools that customers configured. */
  brain: { connectTimeoutMs: 2_000, connectionsPerHost: 256, keepAliveMs: 60_000 },
  /** The model service that the operator configured. */
  model: { connectTimeoutMs: 2_000, connectionsPerHost: 256, keepAliveMs: 60_000, isTrusted: true },
  /** Files to play into calls. */
  playback: { connectTimeoutMs: 3_000, connectionsPerHost: 16, keepAliveMs: 10_000 },
  /** A few connections more than concurrent sends per host, to cover those being closed: no send waits for one. */
  webhook: {
    connectTimeoutMs: 5_000,
    connectionsPerHost: 128,
    keepAliveMs: 4_000,
    isHttp1Only: true,
    isHttpsOnlyInProduction: true,
  },
  /** The operator configures carriers' addresses; private ones still have to be allowed. */
  carrier: { connectTimeoutMs: 5_000, connectionsPerHost: 64, keepAliveMs: 4_000 },
  /** Tool servers that customers configured, and the authorization servers that these name. */
  mcp: {
    connectTimeoutMs: 3_000,
    connectionsPerHost: 32,
    keepAliveMs: 10_000,
    isHttpsOnlyInProduction: true,
  },
  /** Hosts that apps inside the dashboard may call. */
  app: {
    connectTimeoutMs: 5_000,
    connectionsPerHost: 16,
    keepAliveMs: 10_000,
    isHttpsOnlyInProduction: true,
  },
  /** Vendors that organizations connected: a caller waits for the answer. */
  integration: {
    connectTimeoutMs: 3_000,
    connectionsPerHost: 32,
    keepAliveMs: 30_000,
    isHttpsOnlyInProduction: true,
  },
  /** The services that carry messages of channels. */
  messaging: {
    connectTimeoutMs: 3_000,
    connectionsPerHost: 64,
    keepAliveMs: 30_000,
    isHttpsOnlyInProduction: true,
  },
  /** Pages read into knowledge bases; nobody waits for them, and sites should not notice. */
  knowledge: { connectTimeoutMs: 5_000, connectionsPerHost: 2, keepAliveMs: 4_000 },
  /** The payment service; the operator configures its address. */
  payment: {
    connectTimeoutMs: 5_000,
    connectionsPerHost: 8,
    keepAliveMs: 10_000,
    isHttpsOnlyInProduction: true,
  },
};
