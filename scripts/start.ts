import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { openDatabase } from "@parley/control-api/database/open.ts";
import { PAGES_DIR } from "@parley/control-api/http/pages/pages-dir.ts";
import { startControlApi } from "@parley/control-api/start-control-api.ts";
import { buildGateway } from "@parley/gateway/build-gateway.ts";
import { openBus } from "@parley/shared/bus/open.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { type Config, loadConfig } from "@parley/shared/config/config.ts";
import { DEMO_OWNER_EMAIL } from "@parley/shared/contracts/accounts.ts";
import { createLogger } from "@parley/shared/log.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { runProcess } from "@parley/shared/run-process.ts";
import { loadKeys } from "@parley/shared/security/local-keys.ts";
import { startExampleBrain } from "../examples/brain/server.ts";

const LOOPBACK = ["127.0.0.0/8", "::1/128"];
const POCKETSPHINX = "pocketsphinx_continuous -infile {wav} -logfn /dev/null";

/** The whole product in one process, on its embedded defaults: `npm start`. */
await runProcess("Parley", async (env) => {
  const startedMs = performance.now();
  say("Parley is starting …");
  const config = withLocalRecognizer(loadConfig({ LOG_LEVEL: "warn", LOG_FORMAT: "pretty", ...env }));
  const log = createLogger({ ...config.log, name: "parley" });
  const metrics = createMetrics();
  const clock = systemClock;
  const { databaseUrl, directUrl, replicaUrl, dataDir, budgets } = config.storage;
  const [bus, database, keys] = await Promise.all([
    openBus({ ...config.storage, clock, log }),
    openDatabase({ databaseUrl, directUrl, replicaUrl, dataDir, budgets }),
    loadKeys(config),
  ]);
  const shared = { config, bus, clock, log, metrics };
  const gateway = await buildGateway({
    ...shared,
    allowPrivateTargets: config.security.allowPrivateTargets ?? LOOPBACK,
    ticketPublicKeyPem: keys.ticketPublicKeyPem,
    planKey: keys.planKey,
  });
  const { host, brainPort } = config.http;
  const brain =
    config.demo.isOn && !config.demo.brainUrl
      ? await startExampleBrain({ host, port: brainPort })
      : undefined;
  const brainUrl = config.demo.brainUrl ?? brain?.url;
  const api = await startControlApi({
    ...shared,
    database,
    ticketPrivateKeyPem: keys.ticketPrivateKeyPem,
    secretsKey: keys.secretsKey,
    planKey: keys.planKey,
    allowPrivateTargets: config.security.allowPrivateTargets ?? LOOPBACK,
    pagesDir: PAGES_DIR,
    demo:
      config.demo.isOn && brainUrl !== undefined ? { brainUrl, gatewayUrl: gateway.publicUrl } : undefined,
  });
  announce({ config, baseUrl: api.baseUrl, gatewayUrl: gateway.publicUrl, brainUrl: brain?.url, startedMs });
  return {
    log,
    stop: async () => {
      await gateway.drain();
      await api.close();
      await brain?.close();
      await bus.close();
      await database.close();
    },
  };
});

/** Without a configured recognizer, uses pocketsphinx where installed. */
function withLocalRecognizer(config: Config): Config {
  if (config.speech.command.commandLine !== undefined || !isOnPath("pocketsphinx_continuous")) return config;
  return { ...config, speech: { ...config.speech, command: { commandLine: POCKETSPHINX } } };
}

interface Announcement {
  readonly config: Config;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly brainUrl: string | undefined;
  readonly startedMs: number;
}

function announce({ config, baseUrl, gatewayUrl, brainUrl, startedMs }: Announcement): void {
  const hears = config.speech.command.commandLine?.split(" ")[0] ?? "your browser, or the keyboard";
  say(
    `Ready after ${((performance.now() - startedMs) / 1000).toFixed(1)} s.`,
    "",
    `  Talk to the agent   ${baseUrl}/talk`,
    `  Dashboard           ${baseUrl}/`,
    `  API and its docs    ${baseUrl}/docs`,
    `  Gateway             ${gatewayUrl}`,
    ...(brainUrl ? [`  Example brain       ${brainUrl}`] : []),
    `  Hears with          ${hears}`,
    ...(config.demo.isOn
      ? [
          `  Mail and SMS        ${config.messages.smtpUrl === undefined ? `${baseUrl}/dev/outbox` : "are sent"}`,
          `  Sign in as          ${DEMO_OWNER_EMAIL}, with the password in ${join(config.storage.dataDir, "demo.json")}`,
          `  Key and agent id    ${join(config.storage.dataDir, "demo.json")}`,
        ]
      : []),
    "",
    "Ctrl-C ends it.",
  );
}

function isOnPath(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function say(...lines: string[]): void {
  console.log(lines.join("\n"));
}
