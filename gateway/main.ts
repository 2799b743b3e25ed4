import { openBus } from "@parley/shared/bus/open.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { createLogger } from "@parley/shared/log.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { runProcess } from "@parley/shared/run-process.ts";
import { loadGatewayKeys } from "@parley/shared/security/local-keys.ts";
import { buildGateway } from "./build-gateway.ts";

/** One gateway process: config → bus → gateway → signals. */
await runProcess("gateway", async (env) => {
  const config = loadConfig(env);
  const log = createLogger({ ...config.log, name: "gateway" });
  if (config.storage.redisUrl === undefined) {
    log.warn(
      { event: "redis_not_configured" },
      "REDIS_URL is not set: no control API can reach this gateway, so it will get no calls",
    );
  }
  const bus = await openBus({ ...config.storage, clock: systemClock, log });
  const gateway = await buildGateway({
    config,
    bus,
    ...(await loadGatewayKeys(config)),
    allowPrivateTargets: config.security.allowPrivateTargets ?? [],
    clock: systemClock,
    log,
    metrics: createMetrics(),
  });
  log.info(
    { event: "gateway_ready", port: gateway.port, publicUrl: gateway.publicUrl, nodeId: gateway.nodeId },
    "gateway ready",
  );
  return {
    log,
    stop: async () => {
      await gateway.drain();
      await bus.close();
    },
  };
});
