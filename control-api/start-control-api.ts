import type { AddressInfo } from "node:net";
import { systemClock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { NameLookups } from "@parley/shared/net/names/name-lookups.ts";
import { createSystemResolver, type Resolve } from "@parley/shared/net/names/system-resolver.ts";
import { PlanBox } from "@parley/shared/security/plan-box.ts";
import { createTicketSigner } from "@parley/shared/security/tickets.ts";
import { type ApiDeps, buildApi } from "./build-api.ts";
import { buildCapabilities } from "./build-capabilities.ts";
import { buildIdentity } from "./build-identity.ts";
import type { TelephonyDeps } from "./build-telephony.ts";
import { keepIndexesBuilt } from "./database/build-indexes.ts";
import { findLaterMigrations, migrateToLatest } from "./database/migrate.ts";
import type { Databases } from "./database/open.ts";
import { Reads } from "./http/reads.ts";
import type { Api } from "./http/routes.ts";
import { Recorder } from "./records/recorder/recorder.ts";
import { Sweeper } from "./records/recorder/sweeper.ts";
import { reportLostKeys } from "./sealed/stored-keys.ts";
import { stopInSteps } from "./stop-in-steps.ts";

/** How often a server that closes looks for connections that nobody uses any more. */
const IDLE_EVERY_MS = 100;

/**
 * Ten seconds are what supervisors give a process before they kill it. Together with the second of the database these are
 * nine and a half; `docs/operations.md#rolling-restarts`.
 */
const REQUESTS_MS = 2_500;
/** Of these, when connections are cut whose requests are not answered. */
const CUT_AFTER_MS = 2_000;
const CALLS_MS = 1_500;
/** Postgres goes on with the one it builds, whoever asked for it. */
const INDEXES_MS = 300;
const RECORDER_MS = 2_200;
const WEBHOOKS_MS = 1_500;
const IDENTITY_MS = 500;

type Capabilities = ReturnType<typeof buildCapabilities>;

export interface ControlApiOptions
  extends Omit<
    ApiDeps,
    | "database"
    | "reads"
    | "tickets"
    | "plans"
    | "parts"
    | "urlRules"
    | "baseUrl"
    | keyof Capabilities["forRoutes"]
  > {
  readonly database: Databases;
  /** Instead of ALLOW_PRIVATE_TARGETS: the embedded default opens loopback. */
  readonly allowPrivateTargets?: readonly string[];
  /** Where the names in the addresses of webhooks lead, instead of the system's resolver. */
  readonly resolve?: Resolve;
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
  await bringUpToDate(database, log);
  const tickets = createTicketSigner({ privateKeyPem: ticketPrivateKeyPem, clock });
  const plans = new PlanBox(options.planKey);
  let baseUrl = config.http.publicUrl ?? "";
  const parts = await buildIdentity({ ...options, baseUrl: () => baseUrl });
  void reportLostKeys({ database: database.background, secrets: parts.secrets, log });
  const urlRules = {
    allowPrivateTargets: options.allowPrivateTargets ?? config.security.allowPrivateTargets ?? [],
    names: new NameLookups({
      resolve: options.resolve ?? createSystemResolver({ clock, servers: config.dns.servers }),
      clock,
    }),
  };
  if (config.security.allowPrivateTargets) {
    log.warn(
      { event: "private_targets_allowed", cidrs: config.security.allowPrivateTargets },
      "ALLOW_PRIVATE_TARGETS is set: brains and webhooks may have private addresses",
    );
  }
  const reads = new Reads({
    database: database.reads,
    connections: config.storage.budgets.reads.connections,
    clock,
  });
  const shared = { ...options, reads, tickets, plans, parts, urlRules, baseUrl: () => baseUrl };
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
  const inBackground = { ...options, database: database.background };
  const recorder = new Recorder({ ...inBackground, ...capabilities.forRecorder });
  const sweeper = new Sweeper(inBackground);
  recorder.start();
  sweeper.start();
  capabilities.start();
  const stopBuilding = keepIndexesBuilt({ database, clock: systemClock, log });
  return {
    port,
    baseUrl,
    routes: app.registeredRoutes,
    close: async () => {
      sweeper.stop();
      // Time is the machine's: a test that holds the product's clock must not hold its end.
      await stopInSteps(
        [
          { name: "indexes", withinMs: INDEXES_MS, stop: () => stopBuilding() },
          { name: "requests", withinMs: REQUESTS_MS, stop: () => closeServer(app) },
          { name: "calls and chats", withinMs: CALLS_MS, stop: () => capabilities.close() },
          { name: "recorder", withinMs: RECORDER_MS, stop: () => recorder.stop() },
          { name: "webhooks", withinMs: WEBHOOKS_MS, stop: () => capabilities.closeLast() },
          { name: "sign-ins", withinMs: IDENTITY_MS, stop: () => parts.close() },
        ],
        { clock: systemClock, log },
      );
    },
  };
}

async function bringUpToDate(database: Databases, log: Logger): Promise<void> {
  const { migrated, later } = await database.unbounded(async ({ db }) => ({
    migrated: await migrateToLatest(db),
    later: await findLaterMigrations(db),
  }));
  if (migrated.length > 0) log.info({ event: "database_migrated", migrated }, "the database was migrated");
  if (later.length > 0)
    log.warn(
      { event: "database_is_newer", later },
      "the database has migrations that this process does not know",
    );
}

/** Answers what was begun; connections on which that takes too long are cut. */
async function closeServer(app: Api): Promise<void> {
  // What is answered from here on leaves its connection open, for as long as its client likes.
  const stopLooking = systemClock.every(IDLE_EVERY_MS, () => app.server.closeIdleConnections());
  const cancelCut = systemClock.after(CUT_AFTER_MS, () => app.server.closeAllConnections());
  await app.close().finally(() => {
    stopLooking();
    cancelCut();
  });
}
