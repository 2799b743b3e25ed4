import { openBus } from "@parley/shared/bus/open.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { createLogger } from "@parley/shared/log.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { runProcess } from "@parley/shared/run-process.ts";
import { loadKeys } from "@parley/shared/security/local-keys.ts";
import { openDatabase } from "./database/open.ts";
import { PAGES_DIR } from "./http/pages/pages-dir.ts";
import { startControlApi } from "./start-control-api.ts";
import { stopInSteps } from "./stop-in-steps.ts";

/** Together with the times in `start-control-api.ts`, these stay below ten seconds. */
const API_MS = 8_500;
const BUS_MS = 250;
/** Connections to a server may be cut; the embedded database must flush its files. */
const DATABASE_MS = { postgres: 1_200, pglite: 30_000 };

/** One control-api process: config → bus → database → API → signals. */
await runProcess("control-api", async (env) => {
  const config = loadConfig(env);
  const log = createLogger({ ...config.log, name: "control-api" });
  const bus = await openBus({ ...config.storage, clock: systemClock, log });
  const database = await openDatabase({
    databaseUrl: config.storage.databaseUrl,
    directUrl: config.storage.directUrl,
    replicaUrl: config.storage.replicaUrl,
    dataDir: config.storage.dataDir,
    budgets: config.storage.budgets,
    onBroken: (error) =>
      log.warn(
        { event: "database_connection_lost", err: error.message },
        "a database connection broke or timed out",
      ),
  });
  const { ticketPrivateKeyPem, secretsKey, planKey } = await loadKeys(config);
  const { brainUrl } = config.demo;
  const hasDemo = config.demo.isOn && brainUrl !== undefined;
  const api = await startControlApi({
    config,
    bus,
    database,
    ticketPrivateKeyPem,
    secretsKey,
    planKey,
    clock: systemClock,
    log,
    metrics: createMetrics(),
    pagesDir: PAGES_DIR,
    demo: hasDemo ? { brainUrl, gatewayUrl: config.http.gatewayPublicUrl ?? "" } : undefined,
  });
  if (config.demo.isOn && !hasDemo) {
    log.warn(
      { event: "demo_without_brain" },
      "the demo is on, but there is no demo agent: DEMO_BRAIN_URL names no brain for it",
    );
  }
  log.info(
    { event: "control_api_ready", port: api.port, baseUrl: api.baseUrl, demo: hasDemo },
    "control API ready",
  );
  return {
    log,
    stop: () =>
      stopInSteps(
        [
          { name: "API", withinMs: API_MS, stop: () => api.close() },
          { name: "bus", withinMs: BUS_MS, stop: () => bus.close() },
          { name: "database", withinMs: DATABASE_MS[database.kind], stop: () => database.close() },
        ],
        { clock: systemClock, log },
      ),
  };
});
