/**
 * Measures how soon each page of the navigation shows its largest content (LCP) on a machine a quarter as fast as this
 * one, in a browser that has the pages' code cached, and prints each beside the limit of a second.
 *
 * Usage: npx node scripts/measure-pages.ts [--url http://127.0.0.1:8080] [--email …] [--password …] [--times 5]
 * Creates its own account on a running Parley, unless it is given one; meant for an otherwise idle machine.
 */
import { parseArgs } from "node:util";
import { chromium, type Page } from "playwright-core";
import { NAVIGATION } from "../dashboard/app/navigation.ts";
import { chromiumPath } from "../testkit/needs.ts";

const LIMIT_MS = 1_000;
const SLOWER = 4;
const LOOK_MS = 100;
/** In the page: when it showed its largest content, once that was half a second ago and nothing is loading; else null. */
const SHOWN_MS = `
  document.querySelector("h1") && !document.querySelector("[aria-busy=true]") &&
  performance.now() > globalThis.largestMs + 500 ? globalThis.largestMs : null
`;
/** An account's own pages, besides those of the sidebar. */
const OTHERS = [{ to: "/security", name: "Security" }];

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:8080" },
    email: { type: "string" },
    password: { type: "string", default: "correct horse battery staple" },
    times: { type: "string", default: "5" },
  },
});
const times = Number(values.times);

const email = values.email ?? (await register());
const browser = await chromium.launch({ executablePath: chromiumPath() ?? "", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await page.addInitScript(watchLargest);
const devtools = await page.context().newCDPSession(page);
const signInMs = await measured(page, "/sign-in");
await signIn(page);
await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });

const pages = [...NAVIGATION.flatMap(({ items }) => items), ...OTHERS];
const figures: { name: string; ms: number }[] = [{ name: "Sign in (not throttled)", ms: signInMs }];
for (const { to, name } of pages) {
  // The first visit fills the cache of code, which every further visit has.
  await measured(page, String(to));
  const all: number[] = [];
  for (let time = 0; time < times; time++) all.push(await measured(page, String(to)));
  figures.push({ name, ms: all.toSorted((one, other) => one - other)[Math.floor(times / 2)] ?? 0 });
}
await browser.close();

for (const { name, ms } of figures)
  console.log(
    `${Math.round(ms).toString().padStart(6)} ms  ${(ms / LIMIT_MS).toFixed(2)} of the limit  ${name}`,
  );
if (figures.some(({ ms }) => ms > LIMIT_MS)) process.exitCode = 1;

async function register(): Promise<string> {
  const address = `pages-${Date.now()}@example.com`;
  const answer = await fetch(`${values.url}/api/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: address, password: values.password }),
  });
  if (!answer.ok) throw new Error(`no account could be made: ${answer.status} ${await answer.text()}`);
  return address;
}

async function signIn(on: Page): Promise<void> {
  await on.getByLabel("Email or mobile number").fill(email);
  await on.keyboard.press("Enter");
  await on.getByLabel("Password", { exact: true }).fill(values.password);
  await on.keyboard.press("Enter");
  await on.getByRole("navigation", { name: "Pages" }).waitFor();
}

/** LCP of a visit in ms, once the page shows nothing larger any more. */
async function measured(on: Page, path: string): Promise<number> {
  await on.goto(values.url + path);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    // What Playwright waits by itself with is compiled in the page: 0.1 s of its processor at this throttle.
    const { result } = await devtools.send("Runtime.evaluate", { expression: SHOWN_MS });
    if (typeof result.value === "number") return result.value;
  }
}

/** Runs in the page, before its own scripts. */
function watchLargest(): void {
  new PerformanceObserver((list) => {
    Object.assign(globalThis, { largestMs: list.getEntries().at(-1)?.startTime });
  }).observe({ type: "largest-contentful-paint", buffered: true });
}
