import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { SCRAPE_TTL_MS, scrapeKey } from "@parley/shared/contracts/scrape-targets.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestControlApi } from "../testkit/control-api.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { needs } from "../testkit/needs.ts";
import { ROOT } from "../testkit/product.ts";
import { freePort } from "../testkit/redis.ts";

/** Nobody listens there. */
const DEAD = "127.0.0.1:1";

interface Target {
  readonly labels: { readonly job: string; readonly instance: string };
  readonly health: "up" | "down" | "unknown";
}

describe.runIf(needs("prometheus"))("Prometheus with our configuration", () => {
  const bus = createMemoryBus({ clock: systemClock });
  let api: TestControlApi;
  let gateway: TestGateway;
  let prometheus: ChildProcess;
  let url: string;
  let folder: string;
  beforeAll(async () => {
    api = await TestControlApi.start({ bus });
    gateway = await TestGateway.start({ bus });
    folder = await mkdtemp(join(tmpdir(), "parley-prometheus-"));
    // Its own pace is seconds, and its rules are of another test.
    const ours = (await readFile(join(ROOT, "ops/prometheus/prometheus.yml"), "utf8"))
      .replace("http://control-api:8080/", `http://127.0.0.1:${api.api.port}/`)
      .replace("scrape_interval: 5s", "scrape_interval: 100ms")
      .replace("refresh_interval: 5s", "refresh_interval: 100ms")
      .replace("  - alerts.yml", "");
    const file = join(folder, "prometheus.yml");
    await writeFile(file, ours);
    const address = `127.0.0.1:${await freePort()}`;
    url = `http://${address}`;
    const args = [
      `--config.file=${file}`,
      `--storage.tsdb.path=${folder}`,
      `--web.listen-address=${address}`,
    ];
    prometheus = spawn("prometheus", args, { stdio: "ignore" });
  });
  afterAll(async () => {
    prometheus.kill("SIGKILL");
    if (prometheus.exitCode === null && prometheus.signalCode === null) await once(prometheus, "exit");
    await gateway.gateway.close();
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** `job health` of the processes of ours that it knows. */
  async function found(): Promise<string[]> {
    const answer = await fetch(`${url}/api/v1/targets`).catch(() => undefined);
    if (!answer?.ok) return [];
    const { data } = (await answer.json()) as { data: { activeTargets: Target[] } };
    return data.activeTargets
      .filter(({ labels }) => labels.job === "gateway" || labels.job === "control-api")
      .map(({ labels, health }) => `${labels.job} ${labels.instance} ${health}`)
      .toSorted();
  }

  test("reads every gateway and control API, sees one that died, and forgets one that ended", async () => {
    const ofApi = `control-api 127.0.0.1:${api.api.port} up`;
    const ofGateway = `gateway 127.0.0.1:${gateway.gateway.port} up`;
    await expect.poll(found).toEqual([ofApi, ofGateway]);

    const second = await TestGateway.start({ bus });
    const dead = { job: "gateway", address: DEAD } as const;
    await bus.keys.set(scrapeKey(dead), JSON.stringify(dead), SCRAPE_TTL_MS);
    const ofSecond = `gateway 127.0.0.1:${second.gateway.port} up`;
    await expect.poll(found).toEqual([ofApi, `gateway ${DEAD} down`, ofGateway, ofSecond].toSorted());

    await second.gateway.close();
    await expect.poll(found).toEqual([ofApi, `gateway ${DEAD} down`, ofGateway].toSorted());
  });
});
