/**
 * Drags a node of a large flow through the builder in a browser, and prints the frame times: 60 per second are
 * 16.7 ms each.
 *
 * Usage: npx node scripts/measure-flow-builder.ts [--url http://127.0.0.1:8080] [--nodes 80]
 * Creates its own account on a running Parley; meant for an otherwise idle machine.
 */
import { parseArgs } from "node:util";
import { chromium, type Page } from "playwright-core";
import { z } from "zod";
import { largeFlow } from "../testkit/flows.ts";
import { chromiumPath } from "../testkit/needs.ts";

const FRAME_MS = 1_000 / 60;
const STEPS = 240;
const DRAGGED = "ask_1";
const PASSWORD = "correct horse battery staple";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:8080" },
    nodes: { type: "string", default: "80" },
  },
});
const count = Number(values.nodes);

const registeredSchema = z.object({
  organization: z.object({ id: z.string() }),
  tokens: z.object({ accessToken: z.string() }),
});

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await fetch(values.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return z.object({ data: z.unknown() }).parse(await answer.json()).data;
}

/** Creates an account and an agent; returns where its builder is. */
async function prepared(): Promise<{ email: string; path: string }> {
  const email = `frames-${Date.now()}@example.com`;
  const made = registeredSchema.parse(await post("/api/auth/register", { email, password: PASSWORD }));
  const headers = {
    authorization: `Bearer ${made.tokens.accessToken}`,
    "x-org-id": made.organization.id,
  };
  const agent = { name: "Large", brain: { kind: "flow", flow: largeFlow(count) } };
  const { id } = z.object({ id: z.string() }).parse(await post("/api/agents", agent, headers));
  return { email, path: `/agents/${id}/flow` };
}

/** Frame times in ms while a node is dragged around once. */
async function dragged(page: Page): Promise<number[]> {
  // Brings it into view: a large flow is taller than the canvas.
  await page.getByLabel("Find a node").fill(DRAGGED);
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: `Node ${DRAGGED}`, exact: true }).waitFor();
  const node = page.getByRole("group", { name: `Ask: ${DRAGGED}`, exact: true });
  await node.click();
  const box = await node.boundingBox();
  if (!box) throw new Error("the node is not seen");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.evaluate(() => {
    const times: number[] = [];
    const each = (at: number): void => {
      times.push(at);
      requestAnimationFrame(each);
    };
    requestAnimationFrame(each);
    Object.assign(window, { frameTimes: times });
  });
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= STEPS; step++) {
    const angle = (step / STEPS) * 2 * Math.PI;
    await page.mouse.move(x + 150 * Math.sin(angle), y + 100 * (1 - Math.cos(angle)));
    if (step === STEPS / 2 && (await node.boundingBox())?.y === box.y)
      throw new Error("the node is not dragged");
  }
  await page.mouse.up();
  const times = await page.evaluate(() => (window as unknown as { frameTimes: number[] }).frameTimes);
  return times.slice(1).map((at, index) => at - (times[index] ?? at));
}

const { email, path } = await prepared();
const browser = await chromium.launch({ executablePath: chromiumPath() ?? "", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
await page.goto(values.url + path);
await page.getByLabel("Email or mobile number").fill(email);
await page.keyboard.press("Enter");
await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
await page.keyboard.press("Enter");
const frames = (await dragged(page)).toSorted((a, b) => a - b);
await browser.close();
const at = (share: number): string =>
  `${(frames[Math.floor((frames.length - 1) * share)] ?? 0).toFixed(1)} ms`;
// A slightly late frame is not a dropped one.
const left = frames.filter((ms) => ms > FRAME_MS * 1.5).length;
console.log(`${count} nodes, ${frames.length} frames: p50 ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}`);
console.log(`${left} took longer than one and a half of ${FRAME_MS.toFixed(1)} ms`);
