import type { Frame, Page } from "playwright-core";
import { type Bench, type Figure, type Spread, spreadOf } from "../harness/figure.ts";
import { pause } from "../harness/pause.ts";
import { interleaved } from "../harness/rounds.ts";
import { FIRST_DATA, LISTENER, ROUND_TRIPS } from "./scripts.ts";
import { AppsWorld, type BenchApp } from "./world.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const MOUNTS = 15;
const MAX_MOUNT_MS = 300;
const ROUNDS = 5;
const CALLS = 100;
const MAX_ROUND_TRIP_MS = 10;
const FRAMES = 50;
/** An app has at most 40 panels. */
const FRAMES_AN_APP = 25;
const CHANGES_A_SECOND = 1_000;
const TELL_SECONDS = 10;
const STEP_MS = 5;
const SETTLE_MS = 3_000;

/** Frames of apps in the dashboard, in Chromium: how soon they show something, and what their bridge takes. */
export const apps: Bench = {
  name: "apps",
  title: "Apps in frames of the dashboard, in Chromium, control API on one pinned core",
  needsPostgres: true,
  run: async (say) => {
    const world = await AppsWorld.start({ cpu: CPU, othersCpu: OTHERS_CPU });
    try {
      const mount = await mounts(world);
      say(`mounted ${MOUNTS} times`);
      const roundTrip = await roundTrips(world);
      say(`${ROUNDS} × ${CALLS} calls made`);
      return [mount, roundTrip, ...(await manyFrames(world, say))];
    } finally {
      await world.close();
    }
  },
};

async function installOne(world: AppsWorld, id: string, title: string, script: string): Promise<string> {
  const ui = { entry: "index.js", pages: [{ id: "panel", title, menu: true }] };
  const appId = await world.install({ id, scopes: ["objects:note"], ui, script });
  await (await world.frame(appId, "panel"))("data.create", { type: "note", data: { text: "The first." } });
  return appId;
}

/** From the press of a link until the app's first data is on the screen, beside its bare document. */
async function mounts(world: AppsWorld): Promise<Figure> {
  const appId = await installOne(world, "bench-mount", "Mounted", FIRST_DATA);
  const address = await world.documentOf(appId);
  const page = await world.openPage("/");
  const link = page.getByRole("link", { name: "Mounted", exact: true });
  const away = page.getByRole("link", { name: "Agents", exact: true }).first();
  const ours = async (): Promise<number> => {
    await away.click();
    await page.waitForURL("**/agents");
    const pressedAt = await link.evaluate((element) => {
      const at = performance.timeOrigin + performance.now();
      (element as unknown as { click(): void }).click();
      return at;
    });
    const body = page.frameLocator("iframe").locator("body[data-shown-at]");
    await body.waitFor();
    return Number(await body.getAttribute("data-shown-at")) - pressedAt;
  };
  const limit = (): Promise<number> => page.evaluate<number>(bareFrame(address));
  await ours();
  await limit();
  const contest = await interleaved(MOUNTS, { ours, limit });
  await page.close();
  return {
    id: "apps.mount",
    title: "a page of an app pressed → its first data on the screen",
    unit: "ms",
    better: "lower",
    ours: contest.ours,
    limit: { name: "the frame's document alone, until it is loaded", value: contest.limit },
    target: { text: `under ${MAX_MOUNT_MS} ms`, holds: contest.ours.median < MAX_MOUNT_MS },
  };
}

/** Loads a frame's document without the dashboard's part, and takes it away again. */
function bareFrame(address: string): string {
  return `new Promise((done) => {
    const from = performance.now();
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts allow-forms allow-popups");
    frame.onload = () => { frame.remove(); done(performance.now() - from); };
    frame.src = ${JSON.stringify(address)};
    document.body.append(frame);
  })`;
}

/** A call of the frame, beside the same request by a bare fetch of the dashboard's page. */
async function roundTrips(world: AppsWorld): Promise<Figure> {
  const appId = await installOne(world, "bench-calls", "Caller", ROUND_TRIPS);
  const page = await world.openPage(`/apps/${appId}/pages/panel`);
  await page.frameLocator("iframe").getByText("ready").waitFor();
  const frame = appFrames(page)[0];
  if (frame === undefined) throw new Error("the app has no frame");
  const token = await world.frameToken(appId, "panel");
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${world.accessToken}`,
    "x-org-id": world.orgId,
    "x-app-frame": token,
  };
  const request = { kind: "request", id: 1, method: "data.count", params: { type: "note" } };
  const path = `/api/orgs/${world.orgId}/apps/${appId}/bridge`;
  const bare = `(async () => {
    const options = ${JSON.stringify({ method: "POST", headers, body: JSON.stringify(request) })};
    const tookMs = [];
    for (let call = 0; call < ${CALLS}; call += 1) {
      const from = performance.now();
      await (await fetch(${JSON.stringify(path)}, options)).json();
      tookMs.push(performance.now() - from);
    }
    return tookMs;
  })()`;
  const ours = async () => quantile(await frame.evaluate<number[]>(`window.roundTrips(${CALLS})`), 0.5);
  const limit = async () => quantile(await page.evaluate<number[]>(bare), 0.5);
  await ours();
  const contest = await interleaved(ROUNDS, { ours, limit });
  await page.close();
  return {
    id: "apps.round-trip",
    title: "a call of the bridge, until its result is in the frame, p50",
    unit: "ms",
    better: "lower",
    ours: contest.ours,
    limit: { name: "a bare fetch of the page", value: contest.limit },
    target: { text: `under ${MAX_ROUND_TRIP_MS} ms`, holds: contest.ours.median < MAX_ROUND_TRIP_MS },
  };
}

/** Fifty frames on one page, each of which hears of its own records, while changes of all are told. */
async function manyFrames(world: AppsWorld, say: (line: string) => void): Promise<Figure[]> {
  const channels: string[] = [];
  for (const app of ["bench-left", "bench-right"].map(listeningApp)) {
    const appId = await world.install(app);
    channels.push(...typesOf(app.id).map((type) => world.changesOf(appId, type)));
  }
  const page = await world.openPage("/");
  const openedMs = performance.now();
  await page
    .locator(".app-frame-place iframe")
    .nth(FRAMES - 1)
    .waitFor({ state: "attached" });
  for (const frame of appFrames(page)) await frame.getByText("listening").waitFor();
  say(`${FRAMES} frames listen after ${((performance.now() - openedMs) / 1_000).toFixed(1)} s`);
  const bare: number[] = [];
  const stops = await Promise.all(
    channels.map((channel) => world.channels.subscribe(channel, (told) => bare.push(ageMs(told)))),
  );
  const told = await tellChanges(world, channels);
  say(`${told} changes told in ${TELL_SECONDS} s`);
  await pause(SETTLE_MS);
  const heard = await Promise.all(appFrames(page).map((frame) => frame.evaluate<number[]>("window.heard")));
  for (const stop of stops) await stop();
  await page.close();
  const tookMs = heard.flat();
  const share = (tookMs.length / told) * 100;
  const delay = (name: string, at: number): Figure => ({
    id: `apps.many-${name}`,
    title: `a change told on the bus → heard in one of ${FRAMES} frames, ${name}`,
    unit: "ms",
    better: "lower",
    ours: only(quantile(tookMs, at)),
    limit: { name: "a bare subscriber of Redis", value: only(quantile(bare, at)) },
  });
  return [
    {
      id: "apps.many-heard",
      title: `changes heard of ${CHANGES_A_SECOND} a second, ${FRAMES} frames on a page`,
      unit: "%",
      better: "higher",
      ours: only(share),
      target: { text: "all of them", holds: told > 0 && tookMs.length === told },
    },
    delay("p50", 0.5),
    delay("p99", 0.99),
  ];
}

function ageMs(told: string): number {
  const { data } = JSON.parse(told) as { readonly data: { readonly at: number } };
  return wallMs() - data.at;
}

/** Tells changes at an even pace, of each type in turn, as whoever committed them does; returns how many. */
async function tellChanges(world: AppsWorld, channels: readonly string[]): Promise<number> {
  const startedMs = performance.now();
  let told = 0;
  while (told < CHANGES_A_SECOND * TELL_SECONDS) {
    const due = ((performance.now() - startedMs) / 1_000) * CHANGES_A_SECOND - told;
    for (let i = 0; i < due && told < CHANGES_A_SECOND * TELL_SECONDS; i += 1) {
      const channel = channels[told % channels.length] ?? "";
      const objectType = channel.slice(channel.lastIndexOf(":") + 1);
      const event = { event: "updated", objectType, id: `obj_${told}`, data: { at: wallMs() } };
      void world.channels.publish(channel, JSON.stringify(event));
      told += 1;
    }
    await pause(STEP_MS);
  }
  return told;
}

function typesOf(app: string): string[] {
  return Array.from({ length: FRAMES_AN_APP }, (_, i) => `${app}-${i}`);
}

function listeningApp(id: string): BenchApp {
  const types = typesOf(id);
  return {
    id,
    scopes: types.map((type) => `objects:${type}`),
    ui: {
      entry: "index.js",
      pages: types.map((type) => ({ id: type, title: type })),
      extensions: types.map((type) => ({ slot: "dashboard_widget", page_id: type, title: type })),
    },
    script: LISTENER,
  };
}

function appFrames(page: Page): Frame[] {
  return page.frames().filter((frame) => frame !== page.mainFrame());
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function only(value: number): Spread {
  return spreadOf([value]);
}

/** The time of day in ms, in fractions: a bare subscriber hears within one. */
function wallMs(): number {
  return performance.timeOrigin + performance.now();
}
