import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { configReference } from "@parley/shared/config/config.ts";
import type { Deployment, StatefulSet } from "kubernetes-types/apps/v1.d.ts";
import type { ConfigMap, Container, PodTemplateSpec, Service } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { ROOT, readText } from "./compose-file.ts";

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}
interface Kustomization {
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string }[];
  readonly configMapGenerator: readonly {
    readonly name: string;
    readonly literals?: readonly string[];
    readonly files?: readonly string[];
  }[];
}

const OPS = join(ROOT, "ops");
/** Where `kubernetes-types` has each of the kinds that are used. */
const TYPES: Readonly<Record<string, string>> = {
  "v1 Namespace": "core/v1",
  "v1 Service": "core/v1",
  "v1 PersistentVolumeClaim": "core/v1",
  "apps/v1 Deployment": "apps/v1",
  "apps/v1 StatefulSet": "apps/v1",
  "policy/v1 PodDisruptionBudget": "policy/v1",
  "autoscaling/v2 HorizontalPodAutoscaler": "autoscaling/v2",
};
const COMPILE = [
  "tsc",
  "--ignoreConfig",
  "--noEmit",
  "--strict",
  "--skipLibCheck",
  "--module",
  "nodenext",
  "--allowImportingTsExtensions",
];
/** Of the load balancer's file, and where a pod's own name comes from. */
const NOT_OURS = new Set(["PARLEY_HTTP", "PARLEY_WS", "PARLEY_DOMAIN", "PARLEY_APPS_DOMAIN", "POD_NAME"]);
/** What both kinds of process know when they start on several machines (docs/deployment.md). */
const SECRET = ["REDIS_URL", "TICKET_PUBLIC_KEY", "PLAN_KEY"];

const kustomization = parse(readText("ops/kustomization.yaml")) as Kustomization;
const manifests = kustomization.resources.flatMap((file) =>
  parseAllDocuments(readText(join("ops", file))).map((document) => document.toJS() as Manifest),
);
const settings = Object.fromEntries(
  (kustomization.configMapGenerator.find(({ name }) => name === "settings")?.literals ?? []).map(
    (literal) => {
      const [name = "", ...value] = literal.split("=");
      return [name, value.join("=")];
    },
  ),
);

function ofKind<T>(kind: string): (T & Manifest)[] {
  return manifests.filter((manifest) => manifest.kind === kind) as (T & Manifest)[];
}
const workloads = [...ofKind<Deployment>("Deployment"), ...ofKind<StatefulSet>("StatefulSet")];
const templateOf = ({ spec }: Deployment | StatefulSet): PodTemplateSpec => spec?.template ?? {};
const containersOf = (workload: Deployment | StatefulSet): Container[] =>
  templateOf(workload).spec?.containers ?? [];
const ours = workloads.filter((workload) => containersOf(workload).some(({ image }) => image === "parley"));

describe("the manifests for Kubernetes", () => {
  test("are of the kinds that Kubernetes has, down to the last field", { timeout: 240_000 }, async () => {
    const folder = await mkdtemp(join(ROOT, "tests/house/.manifests-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const lines = manifests.map((manifest, index) => {
      const from = TYPES[`${manifest.apiVersion} ${manifest.kind}`];
      expect(from, `${manifest.apiVersion} ${manifest.kind}`).toBeDefined();
      const type = `import("kubernetes-types/${from}.d.ts").${manifest.kind}`;
      return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)};`;
    });
    const file = join(folder, "manifests.ts");
    await writeFile(file, lines.join("\n"));
    const faults = () => spawnSync("npx", [...COMPILE, file], { cwd: ROOT, encoding: "utf8" }).stdout;
    expect(faults()).toBe("");
    await writeFile(file, lines.join("\n").replace('"replicas"', '"replica"'));
    expect(faults()).toContain(`'"replica"' does not exist`);
  });

  test("are all that is there, and the kustomization's other files exist", () => {
    const found = globSync("kubernetes/*.yaml", { cwd: OPS }).toSorted();
    expect(kustomization.resources.toSorted()).toEqual(found);
    for (const file of kustomization.configMapGenerator.flatMap(({ files }) => files ?? []))
      expect(existsSync(join(OPS, file)), file).toBe(true);
    expect(kustomization.images.map(({ name }) => name)).toEqual(["parley"]);
  });

  test("give their processes only variables that the configuration knows", () => {
    const known = new Set([...configReference().map(({ name }) => name), ...NOT_OURS]);
    for (const workload of ours) {
      const names = containersOf(workload).flatMap(({ env }) => (env ?? []).map(({ name }) => name));
      expect(names.length).toBeGreaterThan(5);
      expect(names.filter((name) => !known.has(name))).toEqual([]);
    }
    expect(Object.keys(settings).filter((name) => !known.has(name))).toEqual([]);
  });

  test("take every setting and every volume from something that is declared", () => {
    const maps = new Set<string | undefined>(kustomization.configMapGenerator.map(({ name }) => name));
    const claims = new Set(ofKind<ConfigMap>("PersistentVolumeClaim").map(({ metadata }) => metadata.name));
    for (const workload of workloads) {
      for (const { env } of containersOf(workload))
        for (const { valueFrom } of env ?? []) {
          if (valueFrom?.configMapKeyRef) expect(settings).toHaveProperty(valueFrom.configMapKeyRef.key);
        }
      for (const volume of templateOf(workload).spec?.volumes ?? []) {
        if (volume.configMap) expect(maps).toContain(volume.configMap.name);
        if (volume.persistentVolumeClaim) expect(claims).toContain(volume.persistentVolumeClaim.claimName);
      }
    }
  });

  test("ask for the secrets that docs/deployment.md makes", () => {
    const guide = readText("docs/deployment.md");
    for (const workload of ours) {
      const names = containersOf(workload).flatMap(({ envFrom }) =>
        (envFrom ?? []).map(({ secretRef }) => secretRef?.name),
      );
      expect(names).toHaveLength(1);
      expect(guide).toContain(`create secret generic ${names[0]} `);
    }
    for (const name of SECRET) expect(guide).toContain(`--from-literal=${name}=`);
  });

  test("select the pods that there are", () => {
    for (const workload of workloads)
      expect(templateOf(workload).metadata?.labels).toMatchObject(workload.spec?.selector.matchLabels ?? {});
    const apps = workloads.map((workload) => templateOf(workload).metadata?.labels?.app);
    for (const { spec } of ofKind<Service>("Service")) expect(apps).toContain(spec?.selector?.app);
    const [gateways] = ofKind<StatefulSet>("StatefulSet");
    expect(ofKind<Service>("Service").map(({ metadata }) => metadata.name)).toContain(
      gateways?.spec?.serviceName,
    );
  });

  test("give a gateway longer to end than its calls have, and probe what it serves", () => {
    const graces = ofKind<StatefulSet>("StatefulSet").map(
      (workload) => templateOf(workload).spec?.terminationGracePeriodSeconds ?? 0,
    );
    expect(graces).toHaveLength(1);
    const drainMs = Number(configReference().find(({ name }) => name === "DRAIN_TIMEOUT_MS")?.fallback);
    expect(drainMs).toBeGreaterThan(60_000);
    for (const graceSecs of graces) expect(graceSecs * 1_000).toBeGreaterThan(drainMs);
    for (const workload of ours)
      for (const { livenessProbe, readinessProbe } of containersOf(workload)) {
        expect(livenessProbe?.httpGet?.path).toBe("/healthz");
        expect(readinessProbe?.httpGet?.path).toBe("/readyz");
      }
  });

  test("scale gateways below what one takes", () => {
    const scaler = ofKind<{
      spec: { metrics: { pods?: { metric: { name: string }; target: { averageValue: string } } }[] };
    }>("HorizontalPodAutoscaler").find(({ metadata }) => metadata.name === "gateway");
    const metric = scaler?.spec.metrics[0]?.pods;
    expect(metric?.metric.name).toBe("parley_calls_share");
    const [, thousandths] = /^(\d+)m$/.exec(metric?.target.averageValue ?? "") ?? [];
    expect(Number(thousandths)).toBeLessThan(800);
    expect(Number(thousandths)).toBeGreaterThan(500);
  });
});
