import type { AddressInfo } from "node:net";
import { systemClock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { Egress } from "@parley/shared/net/egress.ts";
import { NameLookups } from "@parley/shared/net/names/name-lookups.ts";
import { createSystemResolver, type Resolve } from "@parley/shared/net/names/system-resolver.ts";
import { ownAddress } from "@parley/shared/net/own-address.ts";
import { announceTarget } from "@parley/shared/nodes/scrape-list.ts";
import { MessageBox } from "@parley/shared/security/message-box.ts";
import { PlanBox } from "@parley/shared/security/plan-box.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { createTicketSigner } from "@parley/shared/security/tickets.ts";
import { keepIndexesBuilt } from "./database/build-indexes.ts";
import { findLaterMigrations, migrateToLatest } from "./database/migrate.ts";
import type { Databases } from "./database/open.ts";
import { type ReadOutcome, ReadReplica } from "./database/read-replica.ts";
import { createServer } from "./http/create-server.ts";
import { Reads } from "./http/reads.ts";
import type { Api } from "./http/routes.ts";
import { keepJobsTidy } from "./jobs/keep-tidy.ts";
import { JobQueue } from "./jobs/queue.ts";
import { JobRunner } from "./jobs/runner.ts";
import type { Module, PersonalData } from "./modules/module.ts";
import { startRounds } from "./modules/start-rounds.ts";
import { type ModulesDeps, openModules } from "./open-modules.ts";
import { reportLostKeys } from "./sealed/stored-keys.ts";
import { type StopStep, stopInSteps } from "./stop-in-steps.ts";
import { EventFeed } from "./subscriptions/event-feed.ts";

/** How often a closing server looks for idle connections. */
const IDLE_EVERY_MS = 100;

/**
 * Supervisors kill a process after ten seconds. Together with the database's second, these add up to nine and a half;
 * see `docs/operations.md#rolling-restarts`.
 */
const REQUESTS_MS = 2_500;
/** Within `REQUESTS_MS`, when connections with unanswered requests are cut. */
const CUT_AFTER_MS = 2_000;
/** Postgres finishes the index it is building, even without its client. */
const INDEXES_MS = 300;
/** How long each district has to stop. */
const STOP_MS: Readonly<Record<string, number>> = {
  channels: 1_400,
  records: 1_700,
  subscriptions: 200,
  tools: 300,
  webhooks: 1_500,
  identity: 500,
  "app-frames": 100,
};
/** Nothing uses these connections any more. */
const EGRESS_MS = 100;

export interface ControlApiOptions
  extends Omit<
    ModulesDeps,
    | "reads"
    | "tickets"
    | "plans"
    | "messages"
    | "secrets"
    | "queue"
    | "feed"
    | "urlRules"
    | "egress"
    | "baseUrl"
  > {
  /** Replaces ALLOW_PRIVATE_TARGETS: the embedded default allows loopback. */
  readonly allowPrivateTargets?: readonly string[];
  /** Resolves the host names of webhooks instead of the system's resolver. */
  readonly resolve?: Resolve;
  /** `keyId:base64` list of the keys for encrypted storage. */
  readonly secretsKey: string;
  /** `keyId:base64` list, in the format of PLAN_KEY. */
  readonly planKey: string;
  readonly ticketPrivateKeyPem: string;
}

export interface ControlApi {
  readonly port: number;
  /** `METHOD /pattern` of every route. */
  readonly routes: readonly string[];
  /** What the districts keep about people. */
  readonly personalData: readonly PersonalData[];
  /** The address people reach the API by. */
  readonly baseUrl: string;
  /** Finishes pending requests, accepts no new work, then closes. */
  close(): Promise<void>;
}

/** Migrates the database, then starts the API and its districts. */
export async function startControlApi(options: ControlApiOptions): Promise<ControlApi> {
  const { config, database, log } = options;
  await bringUpToDate(database, log);
  let baseUrl = config.http.publicUrl ?? "";
  const shared = { ...options, ...sharedParts(options), baseUrl: () => baseUrl };
  void reportLostKeys({ database: database.background, secrets: shared.secrets, log });
  const { modules, resolvers } = await openModules(shared);
  const app = await createServer({ ...shared, resolvers });
  for (const module of modules) await module.routes?.(app);
  const { host, controlApiPort } = config.http;
  await app.listen({ host, port: controlApiPort }).catch((cause: unknown) => {
    throw new AppError("unavailable", `${host}:${controlApiPort} cannot be listened on; is it in use?`, {
      cause,
    });
  });
  const port = (app.server.address() as AddressInfo).port;
  baseUrl = config.http.publicUrl ?? `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
  for (const module of modules) await module.start?.();
  const runner = startJobs(modules, shared);
  const stopRounds = startRounds(
    modules.flatMap(({ rounds = [] }) => rounds),
    shared,
  );
  const leaveTargets = announceTarget(
    { job: "control-api", address: ownAddress({ ...config.http, port }) },
    { ...options, keys: options.bus.keys },
  );
  const stopBuilding = keepIndexesBuilt({ database, clock: systemClock, log });
  return {
    port,
    baseUrl,
    routes: app.registeredRoutes,
    personalData: modules.flatMap(({ personalData = [] }) => personalData),
    close: async () => {
      stopRounds();
      // Uses machine time: a test that freezes the product's clock must not block its shutdown.
      await stopInSteps(
        [
          {
            name: "indexes and announcement",
            withinMs: INDEXES_MS,
            stop: () => Promise.all([stopBuilding(), leaveTargets()]),
          },
          {
            name: "requests and jobs",
            withinMs: REQUESTS_MS,
            stop: () => Promise.all([closeServer(app), runner.stop()]),
          },
          ...stepsOf(modules),
          { name: "egress", withinMs: EGRESS_MS, stop: () => shared.egress.close() },
        ],
        { clock: systemClock, log },
      );
    },
  };
}

function startJobs(
  modules: readonly Module[],
  {
    database: { background: database },
    bus: { channels },
    ...deps
  }: Pick<ControlApiOptions, "database" | "bus" | "clock" | "log" | "metrics"> & { readonly queue: JobQueue },
): JobRunner {
  const handlers = [
    ...modules.flatMap(({ jobs = [] }) => jobs),
    keepJobsTidy({ database, clock: deps.clock }),
  ];
  const runner = new JobRunner({ ...deps, database, channels, handlers });
  runner.start();
  return runner;
}

/** The parts that several districts share. */
function sharedParts(options: ControlApiOptions) {
  const { config, database, bus, clock, log, metrics, ticketPrivateKeyPem } = options;
  if (config.security.allowPrivateTargets) {
    log.warn(
      { event: "private_targets_allowed", cidrs: config.security.allowPrivateTargets },
      "ALLOW_PRIVATE_TARGETS is set: brains and webhooks may have private addresses",
    );
  }
  const { connections } = config.storage.budgets.reads;
  const urlRules = {
    allowPrivateTargets: options.allowPrivateTargets ?? config.security.allowPrivateTargets ?? [],
    names: new NameLookups({
      resolve: options.resolve ?? createSystemResolver({ clock, servers: config.dns.servers }),
      clock,
    }),
  };
  return {
    secrets: new SecretBox(options.secretsKey),
    tickets: createTicketSigner({ privateKeyPem: ticketPrivateKeyPem, clock }),
    plans: new PlanBox(options.planKey),
    messages: new MessageBox(options.planKey),
    reads: new Reads({ database: database.reads, replica: replicaOf(options), connections, clock }),
    queue: new JobQueue({ clock, channels: bus.channels }),
    feed: new EventFeed({ clock }),
    urlRules,
    egress: new Egress({ ...urlRules, clock, metrics }),
  };
}

function replicaOf({ config, database, clock, log, metrics }: ControlApiOptions): ReadReplica | undefined {
  const { reads: primary, replica } = database;
  if (!replica) return undefined;
  const { replicaWaitMs: waitMs } = config.storage;
  const onRead = (outcome: ReadOutcome): void => metrics.replicaReadsTotal.inc({ outcome });
  return new ReadReplica({ primary, replica, waitMs, clock, log, onRead });
}

/** Districts stop in reverse order, so that events of the last steps are still recorded and sent. */
function stepsOf(modules: readonly Module[]): StopStep[] {
  return modules.toReversed().flatMap(({ name, stop }) => {
    const withinMs = STOP_MS[name] ?? 0;
    return stop ? [{ name, withinMs, stop }] : [];
  });
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

/** Finishes pending requests; connections on which that takes too long are cut. */
async function closeServer(app: Api): Promise<void> {
  // Keep-alive connections of requests answered from here on would stay open as long as their clients like.
  const stopLooking = systemClock.every(IDLE_EVERY_MS, () => app.server.closeIdleConnections());
  const cancelCut = systemClock.after(CUT_AFTER_MS, () => app.server.closeAllConnections());
  await app.close().finally(() => {
    stopLooking();
    cancelCut();
  });
}
