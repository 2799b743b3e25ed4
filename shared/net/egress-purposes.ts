import type { GuardedDispatcherOptions } from "./guarded-dispatcher.ts";

/** The limits of requests for one purpose; a host's connections are those of one organization in one process. */
export interface EgressLimits
  extends Pick<
    GuardedDispatcherOptions,
    "connectTimeoutMs" | "connectionsPerHost" | "keepAliveMs" | "isHttp1Only"
  > {
  /** Only https:, unless ALLOW_PRIVATE_TARGETS opens something: what was registered in development may lead out of it later. */
  readonly isHttpsOnlyInProduction?: boolean;
  /** The operator configured the address: it may be a private one. */
  readonly isTrusted?: boolean;
}

/** What requests leave the process for. */
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
  /** Endpoints, model services and tools that customers named. */
  brain: { connectTimeoutMs: 2_000, connectionsPerHost: 256, keepAliveMs: 60_000 },
  /** The model service the operator configured. */
  model: { connectTimeoutMs: 2_000, connectionsPerHost: 256, keepAliveMs: 60_000, isTrusted: true },
  /** Files that are played into calls. */
  playback: { connectTimeoutMs: 3_000, connectionsPerHost: 16, keepAliveMs: 10_000 },
  /** A few connections more than there are places at a host, for those that are being closed: no send waits for one. */
  webhook: {
    connectTimeoutMs: 5_000,
    connectionsPerHost: 128,
    keepAliveMs: 4_000,
    isHttp1Only: true,
    isHttpsOnlyInProduction: true,
  },
  /** The operator names carriers' addresses; private ones have to be opened all the same. */
  carrier: { connectTimeoutMs: 5_000, connectionsPerHost: 64, keepAliveMs: 4_000 },
  /** Tool servers that customers named, and the authorization servers that these name. */
  mcp: {
    connectTimeoutMs: 3_000,
    connectionsPerHost: 32,
    keepAliveMs: 10_000,
    isHttpsOnlyInProduction: true,
  },
  /** Hosts that apps inside the dashboard may ask. */
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
  /** Pages that are read into knowledge bases; nobody waits for them, and sites should not notice. */
  knowledge: { connectTimeoutMs: 5_000, connectionsPerHost: 2, keepAliveMs: 4_000 },
  /** Who takes payments; the operator names the address. */
  payment: {
    connectTimeoutMs: 5_000,
    connectionsPerHost: 8,
    keepAliveMs: 10_000,
    isHttpsOnlyInProduction: true,
  },
};
