import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { GATEWAY_NODE_FLAGS } from "@parley/loadtest/stack/stack.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { configReference, loadConfig } from "@parley/shared/config/config.ts";
import { createTicketSigner, createTicketVerifier } from "@parley/shared/security/tickets.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import {
  environmentOf,
  interpolate,
  ourServices,
  parseEnvFile,
  ROOT,
  readCompose,
  readText,
  variablesIn,
} from "./compose-file.ts";
import { freshEnv, makeEnvFile } from "./env-file.ts";

interface PrometheusFile {
  readonly rule_files: readonly string[];
  readonly alerting: { readonly alertmanagers: readonly StaticTargets[] };
  readonly scrape_configs: readonly (StaticTargets & {
    readonly http_sd_configs?: readonly { readonly url: string }[];
  })[];
}

interface StaticTargets {
  readonly static_configs?: readonly { readonly targets: readonly string[] }[];
}

const compose = readCompose();
const services = Object.entries(compose.services);
const ours = ourServices(compose);
const example = parseEnvFile(readText(".env.example"));
/** Those of a mail server that alerts go through are the operator's own. */
const SECRET_NAME = /^(?!ALERT_).*(PASSWORD|PRIVATE_KEY|PUBLIC_KEY|SECRETS_KEY|PLAN_KEY)/;

describe("docker-compose.yml", () => {
  test("has the processes, their stores and what watches them", () => {
    expect(Object.keys(compose.services).sort()).toEqual(
      [
        ...["control-api", "gateway-1", "gateway-2", "load-balancer", "postgres", "redis"],
        ...["alertmanager", "grafana", "postgres-exporter", "prometheus", "redis-exporter"],
      ].sort(),
    );
  });

  test("names only paths, volumes and services that exist", () => {
    for (const [name, service] of services) {
      for (const source of (service.volumes ?? []).map((volume) => volume.split(":")[0]!)) {
        const found = source.startsWith(".") ? existsSync(join(ROOT, source)) : source in compose.volumes;
        expect(found, `${name} mounts ${source}`).toBe(true);
      }
      for (const other of Object.keys(service.depends_on ?? {})) {
        expect(compose.services[other]?.healthcheck, `${name} waits for ${other}`).toBeDefined();
      }
      if (service.build !== undefined) expect(existsSync(join(ROOT, service.build, "Dockerfile"))).toBe(true);
    }
  });

  test.each(ours)("starts %s from a file that exists", (_, { command }) => {
    const [program, ...args] = command!;
    expect(program).toBe("node");
    expect(existsSync(join(ROOT, args.at(-1)!)), args.at(-1)).toBe(true);
  });

  test.each(ours)("gives %s only variables that the configuration knows", (_, { environment }) => {
    const known = configReference().map(({ name }) => name);
    expect(Object.keys(environment!).filter((name) => !known.includes(name))).toEqual([]);
  });

  test("has every setting there is within reach", () => {
    const settable = new Set(ours.flatMap(([, { environment }]) => Object.keys(environment!)));
    const missing = configReference()
      .map(({ name }) => name)
      .filter((name) => !settable.has(name));
    // The example brain is of `npm start` alone.
    expect(missing).toEqual(["BRAIN_PORT"]);
  });

  test("bounds the logs and the memory of every service, and restarts it", () => {
    const unbounded = services.filter(
      ([, { logging, mem_limit, restart }]) =>
        logging?.options["max-size"] === undefined || mem_limit === undefined || restart !== "unless-stopped",
    );
    expect(unbounded.map(([name]) => name)).toEqual([]);
  });

  test("has room in Postgres for the connections of its control APIs, and for as many again", () => {
    const { command = [] } = compose.services.postgres!;
    const allowed = Number(command.find((arg) => arg.startsWith("max_connections="))?.split("=")[1]);
    const pools = configReference().filter(({ name }) => /^DATABASE_\w+_CONNECTIONS$/.test(name));
    const each = pools.reduce((sum, { fallback }) => sum + Number(fallback), 0);
    expect(pools.length).toBeGreaterThan(0);
    expect(allowed).toBeGreaterThan(2 * (compose.services["control-api"]!.deploy?.replicas ?? 1) * each);
  });

  test("refuses to start without any one of its secrets, and falls back to a standard value for none", () => {
    const text = readText("docker-compose.yml");
    const env = { ...example, ...Object.fromEntries(secretNames().map((name) => [name, "x"])) };
    expect(() => interpolate(text, env)).not.toThrow();
    for (const name of secretNames()) {
      expect(() => interpolate(text, { ...env, [name]: "" })).toThrow(name);
    }
    const defaults = variablesIn(text).filter(({ operator, operand }) => operator === ":-" && operand !== "");
    expect(defaults).toEqual([]);
  });

  test("asks for exactly what .env.example lists", () => {
    const asked = new Set(variablesIn(readText("docker-compose.yml")).map(({ name }) => name));
    expect([...asked].sort()).toEqual(Object.keys(example).sort());
  });

  test("publishes nothing to the outside but the load balancer", () => {
    const published = services.filter(([, { ports = [] }]) =>
      ports.some((port) => !port.startsWith("127.0.0.1:")),
    );
    expect(published.map(([name]) => name)).toEqual(["load-balancer"]);
  });
});

describe("scripts/make-env.ts", () => {
  test("writes an .env with which every process has a valid configuration", async () => {
    const { env, file } = await freshEnv();
    expect(secretNames().filter((name) => !env[name])).toEqual([]);
    expect((await stat(file)).mode & 0o077).toBe(0);
    for (const [, service] of ours) {
      const config = loadConfig(environmentOf(service, env));
      expect(config.storage.redisUrl).toContain(env.REDIS_PASSWORD);
    }
  });

  test("makes ticket keys that fit each other", async () => {
    const { env } = await freshEnv();
    const signer = createTicketSigner({ privateKeyPem: env.TICKET_PRIVATE_KEY!, clock: systemClock });
    const verifier = createTicketVerifier({ publicKeyPem: env.TICKET_PUBLIC_KEY!, clock: systemClock });
    const claims = { sessionId: "ses_1", orgId: "org_1", kind: "call" } as const;
    expect((await verifier.verify(await signer.sign(claims), "call")).claims).toEqual(claims);
  });

  test("leaves an existing .env alone", async () => {
    const { file } = await freshEnv();
    const before = await readFile(file, "utf8");
    expect(() => makeEnvFile(file)).toThrow("EEXIST");
    expect(await readFile(file, "utf8")).toBe(before);
  });
});

describe("the Dockerfile", () => {
  const dockerfile = readText("Dockerfile");

  test("copies only what exists and what .dockerignore lets through", () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
      paths!.split(" "),
    );
    const allowed = readText(".dockerignore")
      .split("\n")
      .filter((line) => line.startsWith("!"))
      .map((line) => line.slice(1));
    for (const path of copied) {
      expect(existsSync(join(ROOT, path)), path).toBe(true);
      expect(
        allowed.some((entry) => path === entry || path.startsWith(`${entry}/`)),
        `${path} is ignored`,
      ).toBe(true);
    }
  });

  test("copies the manifest of every workspace before it installs", () => {
    const { workspaces } = JSON.parse(readText("package.json"));
    for (const workspace of workspaces)
      expect(dockerfile).toContain(`COPY ${workspace}/package.json ${workspace}/\n`);
  });

  test("starts a gateway with the collector's settings that the load test measures with", () => {
    const { command } = compose.services.gateway ?? ours.find(([name]) => name.startsWith("gateway"))![1];
    const started = ["node", ...GATEWAY_NODE_FLAGS, "gateway/main.ts"];
    expect(command).toEqual(started);
    expect(dockerfile).toContain(`CMD ${JSON.stringify(started).replaceAll('","', '", "')}\n`);
  });

  test("leaves an image that holds every file compose starts, and runs it as nobody special", () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf("FROM "));
    for (const [, { command }] of ours) {
      const room = command!.at(-1)!.split("/")[0];
      expect(last).toContain(`COPY ${room} ${room}\n`);
    }
    expect(last).toMatch(/^USER node$/m);
  });
});

describe("Prometheus, Caddy and Grafana", () => {
  const listening = new Map(ours.map(([name, { environment }]) => [name, portOf(environment!)]));

  test("Prometheus asks the control APIs for all processes, and finds the alert rules where they are mounted", () => {
    const config: PrometheusFile = parse(readText("ops/prometheus/prometheus.yml"));
    const urls = config.scrape_configs.flatMap(({ http_sd_configs = [] }) =>
      http_sd_configs.map(({ url }) => url),
    );
    expect(urls).toEqual([`http://control-api:${listening.get("control-api")}/metrics/targets`]);
    for (const [name, { environment }] of ours) expect(environment!.PRIVATE_HOST, name).toBe("");
    const others = [...config.scrape_configs, ...config.alerting.alertmanagers]
      .flatMap(({ static_configs = [] }) => static_configs)
      .flatMap(({ targets }) => targets);
    expect(others.filter((target) => !isService(target) && !target.startsWith("localhost:"))).toEqual([]);
    for (const file of config.rule_files) {
      expect(compose.services.prometheus!.volumes).toContain(
        `./ops/prometheus/${file}:/etc/prometheus/${file}:ro`,
      );
    }
  });

  test("Caddy knows the control APIs, and no more of its environment than it is given", () => {
    const caddyfile = readText("ops/caddy/Caddyfile");
    expect(caddyfile).toContain(`dynamic a control-api ${listening.get("control-api")}`);
    const balancer = Object.keys(compose.services["load-balancer"]!.environment!);
    for (const [, name] of caddyfile.matchAll(/\{\$(\w+)\}/g)) expect(balancer).toContain(name);
  });

  test("each gateway's public address leads to that very gateway, without an edit of the Caddyfile", () => {
    const [, path] = /path_regexp node (\S+)/.exec(readText("ops/caddy/Caddyfile")) ?? [];
    const gateways = ours.filter(([name]) => name.startsWith("gateway-"));
    expect(gateways.length).toBeGreaterThan(1);
    for (const [name, { environment }] of gateways) {
      const url = interpolate(environment!.GATEWAY_PUBLIC_URL!, example);
      expect(url).toBe(`ws://localhost/${name}`);
      const routed = new RegExp(path!).exec(`${new URL(url).pathname}/v1/calls/ses_1`);
      expect(routed?.slice(1)).toEqual([name, "/v1/calls/ses_1"]);
      expect(readText("ops/caddy/Caddyfile")).toContain(`reverse_proxy {re.node.1}:${listening.get(name)}`);
    }
  });

  test.each([
    [{}, []],
    [{ ALERT_WEBHOOK_URL: "https://pager.example/it's" }, ["webhook_configs"]],
    [{ ALERT_MAIL_TO: "ops@example.com", ALERT_SMTP_HOST: "mail.example:587" }, ["email_configs"]],
  ])("Alertmanager is configured by its environment: %j", async (env, receivers) => {
    const file = join(await mkdtemp(join(tmpdir(), "parley-alerts-")), "alertmanager.yml");
    onTestFinished(() => rm(dirname(file), { recursive: true, force: true }));
    const start = join(ROOT, "ops/alertmanager/start.sh");
    execFileSync("sh", [start], {
      env: { PATH: process.env.PATH, ALERTMANAGER_FILE: file, ALERTMANAGER_BIN: "true", ...env },
    });
    const { route, receivers: written } = parse(await readFile(file, "utf8"));
    expect(written).toHaveLength(1);
    expect(written[0].name).toBe(route.receiver);
    expect(Object.keys(written[0]).filter((name) => name !== "name")).toEqual(receivers);
    if ("ALERT_WEBHOOK_URL" in env) expect(written[0].webhook_configs[0].url).toBe(env.ALERT_WEBHOOK_URL);
    for (const name of Object.keys(env))
      expect(compose.services.alertmanager!.environment).toHaveProperty(name);
  });

  test("Grafana finds its data source and its dashboards where they are mounted", () => {
    const provisioning = "ops/grafana/provisioning";
    const { datasources } = parse(readText(`${provisioning}/datasources/prometheus.yml`));
    expect(isService(new URL(datasources[0].url).host)).toBe(true);
    const uids = [...readText("ops/grafana/dashboards/parley.json").matchAll(/"uid": "([^"]+)"/g)].map(
      ([, uid]) => uid,
    );
    expect(new Set(uids)).toEqual(new Set([datasources[0].uid, "parley"]));
    const { providers } = parse(readText(`${provisioning}/dashboards/parley.yml`));
    expect(compose.services.grafana!.volumes).toContain(
      `./ops/grafana/dashboards:${providers[0].options.path}:ro`,
    );
  });
});

/** What `.env.example` leaves empty for `make-env.ts` to fill. */
function secretNames(): string[] {
  return Object.keys(example).filter((name) => SECRET_NAME.test(name));
}

function portOf(environment: Readonly<Record<string, string>>): string | undefined {
  return environment.GATEWAY_PORT ?? environment.CONTROL_API_PORT;
}

function isService(hostAndPort: string): boolean {
  return hostAndPort.split(":")[0]! in compose.services;
}
