import type { AddressInfo } from "node:net";
import { systemClock } from "@parley/shared/clock.ts";
import { migrateToLatest } from "@parley/shared/database/migrate.ts";
import { AppError } from "@parley/shared/errors.ts";
import { PlanBox } from "@parley/shared/security/plan-box.ts";
import { createTicketSigner } from "@parley/shared/security/tickets.ts";
import { type ApiDeps, buildApi } from "./build-api.ts";
import { buildCapabilities } from "./build-capabilities.ts";
import { buildIdentity } from "./build-identity.ts";
import type { TelephonyDeps } from "./build-telephony.ts";
import { Recorder } from "./recorder/recorder.ts";
import { Sweeper } from "./recorder/sweeper.ts";
import type { UrlRules } from "./webhooks/url-rules.ts";

/** How often a server that closes looks for connections that nobody uses any more. */
const IDLE_EVERY_MS = 100;

type Capabilities = ReturnType<typeof buildCapabilities>;

export interface ControlApiOptions
  extends Omit<
    ApiDeps,
    "tickets" | "plans" | "parts" | "urlRules" | "baseUrl" | keyof Capabilities["forRoutes"]
  > {
  /** Instead of ALLOW_PRIVATE_TARGETS: the embedded default opens loopback. */
  readonly allowPrivateTargets?: readonly string[];
  /** Where the names in the addresses of webhooks lead, instead of the system's resolver. */
  readonly resolve?: UrlRules["resolve"];
  /** How long the receiver of a webhook may take, instead of 30 s. */
  readonly receiverTimeMs?: number;
  /** `keyId:base64` list for what is stored encrypted. */
  readonly secretsKey: string;
  /** `keyId:base64` list, as PLAN_KEY has it. */
  readonly planKey: string;
  readonly credentialCacheMs?: number;
  readonly phones?: TelephonyDeps["phones"];
  readonly ticketPrivateKeyPem: string;
}

export interface ControlApi {
  readonly port: number;
  /** `METHOD /pattern` of every route. */
  readonly routes: readonly string[];
  /** As people reach it. */
  readonly baseUrl: string;
  /** Answers what was begun, hands nothing new out, then closes. */
  close(): Promise<void>;
}

/** Migrates the database, then starts the API, the recorder and the sweeper. */
export async function startControlApi(options: ControlApiOptions): Promise<ControlApi> {
  const { config, database, clock, log, ticketPrivateKeyPem } = options;
  const migrated = await migrateToLatest(database.db);
  if (migrated.length > 0) log.info({ migrated }, "the database was brought up to date");
  const tickets = createTicketSigner({ privateKeyPem: ticketPrivateKeyPem, clock });
  const plans = new PlanBox(options.planKey);
  let baseUrl = config.http.publicUrl ?? "";
  const parts = await buildIdentity({ ...options, baseUrl: () => baseUrl });
  const urlRules = {
    allowPrivateTargets: options.allowPrivateTargets ?? config.security.allowPrivateTargets ?? [],
    ...(options.resolve ? { resolve: options.resolve } : {}),
  };
  if (config.security.allowPrivateTargets) {
    log.warn(
      { cidrs: config.security.allowPrivateTargets },
      "ALLOW_PRIVATE_TARGETS is set: brains and webhooks may be private",
    );
  }
  const shared = { ...options, tickets, plans, parts, urlRules, baseUrl: () => baseUrl };
  const capabilities = buildCapabilities(shared);
  const app = await buildApi({ ...shared, ...capabilities.forRoutes });
  const { host, controlApiPort } = config.http;
  await app.listen({ host, port: controlApiPort }).catch((cause: unknown) => {
    throw new AppError("unavailable", `${host}:${controlApiPort} cannot be listened on; is it in use?`, {
      cause,
    });
  });
  const port = (app.server.address() as AddressInfo).port;
  baseUrl = config.http.publicUrl ?? `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
  const recorder = new Recorder({ ...options, ...capabilities.forRecorder });
  const sweeper = new Sweeper(options);
  recorder.start();
  sweeper.start();
  capabilities.start();
  return {
    port,
    baseUrl,
    routes: app.registeredRoutes,
    close: async () => {
      sweeper.stop();
      // What is answered from here on leaves its connection open, for as long as its client likes.
      const stopLooking = systemClock.every(IDLE_EVERY_MS, () => app.server.closeIdleConnections());
      await app.close().finally(stopLooking);
      await capabilities.close();
      await recorder.stop();
      await capabilities.closeLast();
      await parts.close();
    },
  };
}
