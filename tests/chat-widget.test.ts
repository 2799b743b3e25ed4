import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { accessibilityFaults } from "../dashboard/testing/app-browser.ts";
import type { BrainTurn } from "./support/brain.ts";
import { needs } from "./support/needs.ts";
import { ROOT } from "./support/product.ts";
import { messageBox, quiet, said, saying, TestWidgets, write } from "./support/widgets.ts";

const SOON = { timeout: 15_000 };
const MINUTE_MS = 60_000;
const HOSTILE = `* { color: rgb(255, 0, 0) !important; font-size: 40px !important; text-transform: uppercase;
  display: inline !important; position: static !important; opacity: 0.1; letter-spacing: 9px; }`;

let widgets: TestWidgets;

describe.runIf(needs("chromium"))("the chat widget on a page of another origin", { timeout: 60_000 }, () => {
  beforeAll(async () => {
    widgets = await TestWidgets.start();
  }, 90_000);
  afterAll(() => widgets.close());

  it("holds a conversation of three turns, each shown as it is generated", async () => {
    const { page, shop } = await widgets.visit();
    const replies = ["Hello. What is it?", "For two, at eight.", "See you then."];
    for (const [index, reply] of replies.entries()) {
      let held: BrainTurn | undefined;
      widgets.answer = (turn) => {
        held = turn;
        turn.token(reply.slice(0, 6));
      };
      await write(page, `Message ${index + 1}`);
      await expect.poll(() => said(page), SOON).toContain(reply.slice(0, 6));
      held?.token(reply.slice(6));
      held?.done();
      await expect.poll(() => said(page), SOON).toContain(reply);
      await expect.poll(() => page.locator(".writing").count(), SOON).toBe(0);
    }
    const [one = "", two = "", three = ""] = replies;
    expect(await said(page)).toEqual(["Message 1", one, "Message 2", two, "Message 3", three]);
    expect(shop.minted).toBe(1);
    expect(await page.getByRole("status").last().textContent()).toContain("See you then.");
    const { sessionId } = widgets.chats.brain.turns.at(-1)?.request ?? {};
    expect((await widgets.chats.messages(String(sessionId))).body.messages).toHaveLength(6);
  });

  it("keeps the conversation, what is typed and an answer that is on its way over a reload", async () => {
    const { page } = await widgets.visit();
    widgets.answer = saying("Hello.");
    await write(page, "Hello?");
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello."]);
    let held: BrainTurn | undefined;
    widgets.answer = (turn) => {
      held = turn;
    };
    const before = widgets.chats.brain.turns.length;
    await write(page, "Take your time");
    await expect.poll(() => held, SOON).toBeDefined();
    await messageBox(page).fill("And another th");
    await page.reload();
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello.", "Take your time", ""]);
    expect(await messageBox(page).inputValue()).toBe("And another th");
    saying("Here it is.")(held as BrainTurn);
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello.", "Take your time", "Here it is."]);
    expect(widgets.chats.brain.turns).toHaveLength(before + 1);
  });

  it("begins another conversation when the one before is over, with the message that found out", async () => {
    const { page, shop } = await widgets.visit();
    widgets.answer = saying("Hello.");
    await write(page, "Hello?");
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello."]);
    await quiet(page);
    widgets.clock.step(31 * MINUTE_MS);
    await write(page, "Still there?");
    const notice = "The conversation before is over. This is a new one.";
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello.", notice, "Still there?", "Hello."]);
    expect(shop.minted).toBe(2);
    expect(widgets.chats.brain.turns.at(-1)?.request).toMatchObject({ query: "Still there?", turn: 1 });
    widgets.answer = (turn) => turn.control({ event: "call_end", farewell: "Goodbye." });
    await write(page, "Bye");
    const ended = "The conversation has ended. Your next message begins a new one.";
    await expect.poll(async () => (await said(page)).slice(-2), SOON).toEqual(["Goodbye.", ended]);
    widgets.answer = saying("Hello again.");
    await write(page, "One more");
    await expect.poll(async () => (await said(page)).at(-1), SOON).toBe("Hello again.");
    expect(shop.minted).toBe(3);
  });

  it("brings a message through a network that breaks, and asks the brain once", async () => {
    const { page } = await widgets.visit();
    widgets.answer = saying("Hello.");
    let times = 0;
    await page.route("**/api/public/chat", async (route) => {
      times += 1;
      if (times === 1) return route.abort("connectionreset");
      // The answer is generated, and lost on its way back.
      if (times === 2) return route.fetch().then(() => route.abort("connectionreset"));
      return route.continue();
    });
    const before = widgets.chats.brain.turns.length;
    await write(page, "Hello?");
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello."]);
    expect(times).toBe(3);
    expect(widgets.chats.brain.turns).toHaveLength(before + 1);
  });

  it("says when there is no answer, keeps what was written, and tries again when asked to", async () => {
    const { page, shop } = await widgets.visit();
    shop.refusesWith = 403;
    await write(page, "Hello?");
    const alert = page.getByRole("alert");
    await expect.poll(() => alert.textContent(), SOON).toContain("not available");
    await messageBox(page).fill("meanwhile");
    await page.keyboard.press("Enter");
    expect(await messageBox(page).inputValue()).toBe("meanwhile");
    expect(await said(page)).toEqual(["Hello?"]);
    shop.refusesWith = undefined;
    widgets.answer = (turn) => void turn.res.writeHead(500).end();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => alert.textContent(), SOON).toContain("no answer");
    widgets.answer = saying("Hello.");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello."]);
    expect(await alert.isVisible()).toBe(false);
  });

  it("gives a message that cannot be sent back, in front of what was typed since", async () => {
    const { page } = await widgets.visit();
    await page.route("**/api/public/chat", (route) => route.fulfill({ status: 400 }));
    await write(page, "Hello?");
    await page.getByRole("button", { name: "Edit" }).waitFor();
    await messageBox(page).fill("meanwhile");
    await page.getByRole("button", { name: "Edit" }).click();
    expect(await messageBox(page).inputValue()).toBe("Hello?\nmeanwhile");
    expect(await said(page)).toEqual([]);
    await page.unroute("**/api/public/chat");
    widgets.answer = saying("Hello.");
    await page.keyboard.press("Enter");
    await expect.poll(() => said(page), SOON).toEqual(["Hello?\nmeanwhile", "Hello."]);
  });

  it("shows markup as what was written, and links to web addresses only", async () => {
    const { page } = await widgets.visit();
    const nasty = [
      "<img src=x onerror=\"document.title='owned'\">",
      "<script>document.title='owned'</script>",
      "[click](javascript:document.title='owned')",
      "</div><iframe srcdoc='<script>parent.document.title=1</script>'>",
      "<svg/onload=alert(1)> **bold** &lt;b&gt;",
      'See https://shop.example/a?b=1&c=%22%3E. Or [this](https://shop.example/c), http://evil.example/"onclick=x',
    ].join("\n");
    widgets.answer = saying(nasty.slice(0, 50), nasty.slice(50));
    await write(page, nasty);
    await expect.poll(() => said(page), SOON).toEqual([nasty, nasty]);
    const found = await page.locator(".log").evaluate((log) => ({
      made: [...log.querySelectorAll("*")].map(({ localName }) => localName),
      links: [...log.querySelectorAll("a")].slice(0, 3).map(({ href, rel }) => `${href} ${rel}`),
    }));
    expect(new Set(found.made)).toEqual(new Set(["div", "span", "a"]));
    expect(found.links).toEqual(
      ["https://shop.example/a?b=1&c=%22%3E", "https://shop.example/c", "http://evil.example/"].map(
        (href) => `${href} noopener noreferrer nofollow ugc`,
      ),
    );
    expect(await page.title()).toBe("Shop");
  });

  it("and the page leave each other's looks alone", async () => {
    const { page } = await widgets.visit({ css: HOSTILE });
    const looks = await messageBox(page).evaluate((input) => {
      const { color, fontSize, letterSpacing, textTransform } = getComputedStyle(input);
      return { color, fontSize, letterSpacing, textTransform };
    });
    expect(looks).toEqual({
      color: "rgb(15, 23, 42)",
      fontSize: "15px",
      letterSpacing: "normal",
      textTransform: "none",
    });
    const panel = await page.getByRole("dialog").boundingBox();
    expect(panel).toMatchObject({ width: 380, height: 600 });
    const plain = await widgets.visit({ css: "h1 { color: rgb(1, 2, 3) }" });
    const heading = plain.page.getByRole("heading", { level: 1 });
    expect(await heading.evaluate((h1) => getComputedStyle(h1).color)).toBe("rgb(1, 2, 3)");
  });

  it("is used with the keyboard alone: the focus goes in, around, and back out", async () => {
    const { page } = await widgets.visit();
    const focused = () =>
      page.evaluate(() => {
        const inside = document.activeElement?.shadowRoot?.activeElement;
        return inside?.getAttribute("aria-label") ?? inside?.id;
      });
    expect(await focused()).toBe("message");
    const stops = [];
    for (let i = 0; i < 5; i++) {
      await page.keyboard.press("Tab");
      stops.push(await focused());
    }
    expect(stops).toEqual(["Send", "Close chat", "Conversation", "message", "Send"]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.type("two");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("lines");
    expect(await messageBox(page).inputValue()).toBe("two\nlines");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").isVisible()).toBe(false);
    expect(await focused()).toBe("Open chat");
    await page.keyboard.press("Enter");
    expect(await focused()).toBe("message");
    expect(await messageBox(page).inputValue()).toBe("two\nlines");
  });

  it.each([
    [1280, false, ""],
    [1280, true, 'data-accent="#facc15" data-position="left"'],
    [360, false, 'data-accent="#0f766e"'],
    [360, true, ""],
    [1280, false, 'data-theme="dark"'],
  ])("has nothing that axe finds fault with, %d wide, dark: %s, %s", async (width, dark, attributes) => {
    const greeting = 'data-title="Ask the shop" data-greeting="Hello! What can I do for you?"';
    const { page, shop } = await widgets.visit({ width, dark, attributes: `${attributes} ${greeting}` });
    widgets.answer = saying("You find them at https://shop.example/shoes, in all sizes.");
    await write(page, "Where are the shoes?");
    await expect.poll(async () => (await said(page)).length, SOON).toBe(3);
    await quiet(page);
    await page.route("**/api/public/chat", (route) => route.fulfill({ status: 400 }));
    await write(page, "And the hats?");
    await page.getByRole("button", { name: "Try again" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider).toBeLessThanOrEqual(0);
    expect(shop.minted).toBe(1);
  });

  it("is one small script that pages may keep for minutes and browsers ask about", async () => {
    const response = await fetch(`${widgets.api.api.baseUrl}/widget.js`);
    expect(response.headers.get("content-type")).toContain("javascript");
    expect(response.headers.get("cache-control")).toBe("public, max-age=300, stale-while-revalidate=86400");
    expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    const script = await response.text();
    expect(gzipSync(script).length).toBeLessThan(30_000);
    expect(script).not.toMatch(/innerHTML|eval\(|parley_live/);
    const etag = response.headers.get("etag") ?? "";
    const again = await fetch(`${widgets.api.api.baseUrl}/widget.js`, {
      headers: { "if-none-match": etag, "cache-control": "max-age=0" },
    });
    expect(again.status).toBe(304);
  });

  it("runs in the example's shop", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "parley-shop-"));
    const { agentId, keys } = widgets.chats.organization;
    const demo = { baseUrl: widgets.api.api.baseUrl, apiKey: keys.developer, agentId };
    await writeFile(join(dataDir, "demo.json"), JSON.stringify(demo));
    const child = spawn(process.execPath, [join(ROOT, "examples/web-chat/server.ts")], {
      env: { ...process.env, DATA_DIR: dataDir, PORT: "0" },
    });
    const page = await widgets.browser.newPage();
    onTestFinished(async () => {
      await page.close();
      child.kill();
      await once(child, "exit");
      await rm(dataDir, { recursive: true, force: true });
    });
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8");
    });
    await expect.poll(() => printed, SOON).toContain("The shop is at");
    await page.goto(/http\S+/.exec(printed)?.[0] ?? "");
    await page.getByRole("button", { name: "Open chat" }).click();
    widgets.answer = saying("From eleven to ten.");
    await write(page, "When are you open?");
    const greeting = "Hello! What can I do for you?";
    await expect
      .poll(() => said(page), SOON)
      .toEqual([greeting, "When are you open?", "From eleven to ten."]);
  });
});
