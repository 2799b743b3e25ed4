import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "../..");
const CONFIG = join(ROOT, ".dependency-cruiser.cjs");
const CRUISER = join(ROOT, "node_modules/.bin/depcruise");

/** A house in which every import is allowed, one of each kind that the rules let through. */
const LAWFUL: Record<string, string> = {
  "shared/errors.ts": "export const errors = 1;",
  "shared/net/guarded-dispatchers.ts": "export interface Guarded { readonly a: 1 }",
  "shared/net/egress.ts":
    'import type { Guarded } from "./guarded-dispatchers.ts"; export type Egress = Guarded;',
  "shared/contracts/talk.ts": "export const talk = 1; export interface Talk { readonly a: 1 }",
  "shared/bus/redis.ts": 'import "ioredis";',
  "control-api/database/open.ts": 'import "pg";',
  "media/pcm.ts": 'import { errors } from "@parley/shared/errors.ts"; export const pcm = errors;',
  "media/vad/vad.ts": 'import { pcm } from "../pcm.ts"; export const vad = pcm;',
  "media/stt/port.ts": "export const stt = 1;",
  "media/stt/vendor.test.ts": 'import "../../testkit/fakes/vendor.ts"; import "../../testkit/needs.ts";',
  "gateway/main.ts": 'import "./uws/app.ts"; import "@parley/media/vad/vad.ts"; import "node:fs";',
  "gateway/uws/app.ts": 'import "uWebSockets.js";',
  "gateway/call/line.ts": "export const line = 1; export interface Line { readonly a: 1 }",
  "gateway/agent-call/call.ts": 'import { line } from "../call/line.ts"; export const call = line;',
  "gateway/transports/socket.ts":
    'import "../call/line.ts"; import "../uws/app.ts"; export const socket = 1;',
  "gateway/admission/admission.ts":
    'import "../transports/socket.ts"; export const admission = 1; export type Admission = typeof admission;',
  "gateway/tests/whole.test.ts": 'import "../agent-call/call.ts"; import "../main.ts";',
  "platform/methods/table.ts": "export const table = 1;",
  "control-api/main.ts":
    'import "@parley/media/stt/port.ts"; import "@parley/media/pcm.ts"; import "../platform/methods/table.ts";',
  "control-api/http/access/rules.ts": "export const rules = 1; export interface Rules { readonly a: 1 }",
  "control-api/http/access/rules.test.ts": 'import "../../channels/sessions/routes.ts";',
  "control-api/channels/sessions/routes.ts":
    'import { rules } from "../../http/access/rules.ts"; export const routes = rules; export type Routes = typeof routes;',
  "control-api/analysis/find-service.ts": "export const services = 1;",
  "control-api/webhooks/endpoints.ts": 'import "../http/access/rules.ts"; export const endpoints = 1;',
  "control-api/analysis/store.ts": "export const analyses = 1;",
  "dashboard/host.ts": 'import "../platform/methods/table.ts";',
  "dashboard/app.tsx":
    'import type { Talk } from "@parley/shared/contracts/talk.ts"; export const App = (t: Talk) => <b>{t.a}</b>;',
  "loadtest/caller.ts": 'import "@parley/media/pcm.ts"; import "../control-api/database/open.ts";',
  "scripts/start.ts": 'import "../gateway/main.ts"; import "../testkit/fakes/vendor.ts";',
  "testkit/fakes/vendor.ts": 'import "@parley/media/stt/port.ts"; import "ioredis"; export const vendor = 1;',
  "testkit/needs.ts": "export const needs = 1;",
  "tests/drills/drill.ts": 'import "../../testkit/needs.ts"; export const drill = 1;',
};

/** One import that each district of the control API may not have. */
function districtViolations(): [rule: string, file: string, source: string][] {
  const routes = 'import type { Routes } from "../channels/sessions/routes.ts"; export type R = Routes;';
  const below = [
    "database",
    "sealed",
    "jobs",
    "subscriptions",
    "modules",
    "http",
    "identity",
    "agents",
    "records",
    "webhooks",
  ];
  return [
    ...below.map((district): [string, string, string] => [
      `${district}-district`,
      `control-api/${district}/upward.ts`,
      routes,
    ]),
    ["channels-district", "control-api/channels/upward.ts", 'import "../webhooks/endpoints.ts";'],
    ["analysis-district", "control-api/analysis/sideways.ts", routes],
    ["billing-district", "control-api/billing/sideways.ts", 'import "../analysis/store.ts";'],
    ["demo-district", "control-api/demo/sideways.ts", 'import "../webhooks/endpoints.ts";'],
    ["notices-district", "control-api/notices/sideways.ts", 'import "../webhooks/endpoints.ts";'],
    ["messaging-district", "control-api/messaging/sideways.ts", 'import "../analysis/find-service.ts";'],
    ["campaigns-district", "control-api/campaigns/sideways.ts", 'import "../analysis/store.ts";'],
    ["knowledge-district", "control-api/knowledge/sideways.ts", 'import "../webhooks/endpoints.ts";'],
    ["integrations-district", "control-api/integrations/sideways.ts", 'import "../webhooks/endpoints.ts";'],
    ["apps-district", "control-api/apps/sideways.ts", 'import "../webhooks/endpoints.ts";'],
    ["app-frames-district", "control-api/app-frames/sideways.ts", 'import "../webhooks/endpoints.ts";'],
    ["tools-district", "control-api/tools/upward.ts", 'import "../webhooks/endpoints.ts";'],
  ];
}

/** One import that each room of the gateway may not have. */
function gatewayViolations(): [rule: string, file: string, source: string][] {
  const admission = 'import type { Admission } from "../admission/admission.ts"; export type A = Admission;';
  const below = ["files", "uws", "turn", "nodes", "events", "recordings", "pipeline", "call", "agent-call"];
  return [
    ...[...below, "manual-call", "watch", "transports", "recovery"].map((room): [string, string, string] => [
      `gateway-${room}`,
      `gateway/${room}/upward.ts`,
      admission,
    ]),
    ["gateway-admission", "gateway/admission/sideways.ts", 'import "../agent-call/call.ts";'],
    ["gateway-rooms", "gateway/unlisted/new.ts", 'import "../call/line.ts";'],
    ["gateway-wiring", "gateway/call/wired.ts", 'import "../main.ts";'],
  ];
}

/** The rule, the file that breaks it, and what that file says. */
const VIOLATIONS: readonly [rule: string, file: string, source: string][] = [
  ["shared-arrow", "shared/bad.ts", 'import "@parley/media/pcm.ts";'],
  ["shared-arrow", "shared/type-only.ts", 'export type { X } from "../media/pcm.ts";'],
  ["media-arrow", "media/bad.ts", 'export * from "../gateway/main.ts";'],
  ["gateway-arrow", "gateway/bad.ts", 'export const late = () => import("../control-api/main.ts");'],
  ["control-api-arrow", "control-api/bad.ts", 'import "../gateway/main.ts";'],
  ["control-api-districts", "control-api/unlisted/new.ts", 'import "../http/access/rules.ts";'],
  ["control-api-wiring", "control-api/http/wired.ts", 'import "../main.ts";'],
  ...districtViolations(),
  ...gatewayViolations(),
  ["dashboard-arrow", "dashboard/bad.tsx", 'import "@parley/media/pcm.ts";'],
  ["platform-arrow", "platform/bad.ts", 'import "../shared/errors.ts";'],
  ["loadtest-arrow", "loadtest/bad.ts", 'import "../gateway/main.ts";'],
  ["loadtest-knows-the-database", "loadtest/api.ts", 'import "../control-api/main.ts";'],
  ["rooms-below-the-roof", "gateway/roof.ts", 'import "../scripts/start.ts";'],
  ["dashboard-knows-contracts-only", "dashboard/deep.ts", 'import "@parley/shared/errors.ts";'],
  ["control-api-hears-no-audio", "control-api/vad.ts", 'import "@parley/media/vad/vad.ts";'],
  [
    "one-owner-of-uws",
    "gateway/direct.ts",
    'import type { App } from "uWebSockets.js"; export type A = App;',
  ],
  ["one-owner-of-redis", "gateway/redis.ts", 'import "ioredis";'],
  [
    "one-egress",
    "gateway/own-way.ts",
    'import type { Guarded } from "@parley/shared/net/guarded-dispatchers.ts"; export type G = Guarded;',
  ],
  ["one-owner-of-postgres", "control-api/sql.ts", 'import "pg";'],
  ["no-test-code-in-production", "media/test-support.ts", 'import "../tests/drills/drill.ts";'],
  ["no-test-code-in-production", "media/suite.ts", 'import "./stt/vendor.test.ts";'],
  ["no-testkit-in-production", "media/stt/sham.ts", 'import "../../testkit/fakes/vendor.ts";'],
  ["no-unresolvable", "shared/lost.ts", 'import "./nowhere.ts";'],
  ["no-cycle", "shared/chicken.ts", 'import type { Egg } from "./egg.ts"; export type Chicken = Egg;'],
];

describe("import boundaries", () => {
  test("a house that keeps the arrows passes", { timeout: 240_000 }, async () => {
    expect(await violationsIn(await plant(LAWFUL))).toEqual([]);
  });

  test("every rule refuses the file that breaks it, and nothing else", { timeout: 240_000 }, async () => {
    const broken = Object.fromEntries(VIOLATIONS.map(([, file, source]) => [file, source]));
    const egg = {
      "shared/egg.ts": 'import type { Chicken } from "./chicken.ts"; export type Egg = Chicken | 1;',
    };
    const found = await violationsIn(await plant({ ...LAWFUL, ...broken, ...egg }));
    expect(found).toEqual(VIOLATIONS.map(([rule, file]) => `${rule}: ${file}`).sort());
  });

  test("every rule of the configuration has its violation above", () => {
    const config: { forbidden: { name: string }[] } = createRequire(import.meta.url)(CONFIG);
    const rules = config.forbidden.map(({ name }) => name);
    expect([...new Set(VIOLATIONS.map(([rule]) => rule))].sort()).toEqual([...new Set(rules)].sort());
  });
});

/** Writes the files into a directory of its own, with workspaces and packages where npm would put them. */
async function plant(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "parley-house-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const packages = ["uWebSockets.js", "ioredis", "pg"].flatMap((name) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" })],
    [`node_modules/${name}/index.js`, ""],
  ]);
  const rooms = ["shared", "media"].map((room) => [
    `${room}/package.json`,
    JSON.stringify({ name: `@parley/${room}`, version: "1.0.0", exports: { "./*": "./*" } }),
  ]);
  const all = { "package.json": "{}", ...files, ...Object.fromEntries([...packages, ...rooms]) };
  for (const [path, source] of Object.entries<string>(all)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), source);
  }
  await mkdir(join(root, "node_modules/@parley"));
  for (const room of ["shared", "media"]) {
    await symlink(`../../${room}`, join(root, "node_modules/@parley", room));
  }
  return root;
}

/** `rule: file` of everything the checker refuses in `root`, sorted, each once. */
async function violationsIn(root: string): Promise<string[]> {
  const { stdout } = await run(
    process.execPath,
    [CRUISER, "--config", CONFIG, "--output-type", "json", "."],
    { cwd: root, maxBuffer: 64 * 1024 * 1024 },
  ).catch((error: { stdout?: string; stderr?: string }) => {
    // A violation is exit code 1 with the report on stdout.
    if (!error.stdout) throw new Error(error.stderr);
    return { stdout: error.stdout };
  });
  const { violations, totalCruised } = JSON.parse(stdout).summary as {
    violations: { from: string; rule: { name: string } }[];
    totalCruised: number;
  };
  expect(totalCruised).toBeGreaterThanOrEqual(Object.keys(LAWFUL).length);
  return [...new Set(violations.map(({ rule, from }) => `${rule.name}: ${from}`))].sort();
}
