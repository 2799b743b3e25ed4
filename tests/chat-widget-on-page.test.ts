import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { needs } from "../testkit/needs.ts";
import { ROOT } from "../testkit/product.ts";
import { focusedIn, messageBox, quiet, SOON, said, saying, TestWidgets, write } from "../testkit/widgets.ts";

const HOSTILE = `* { color: rgb(255, 0, 0) !important; font-size: 40px !important; text-transform: uppercase;
  display: inline !important; position: static !important; opacity: 0.1; letter-spacing: 9px; }`;

let widgets: TestWidgets;

describe.runIf(needs("chromium"))(
  "the chat widget as a part of somebody's page",
  { timeout: 240_000 },
  () => {
    beforeAll(async () => {
      widgets = await TestWidgets.start();
    });
    afterAll(() => widgets.close());

    it.each([
      { which: "the page's", lang: "de-AT", open: "Chat öffnen", write: "Nachricht schreiben", as: "de-AT" },
      {
        which: "the tag's",
        lang: "de",
        attributes: 'data-lang="fr"',
        open: "Ouvrir le chat",
        write: "Écrivez un message",
        as: "fr",
      },
      {
        which: "the browser's",
        lang: "pl",
        locale: "es-ES",
        open: "Abrir el chat",
        write: "Escriba un mensaje",
        as: "es-ES",
      },
      {
        which: "English for want of any other",
        lang: "pl",
        locale: "pl",
        open: "Open chat",
        write: "Write a message",
        as: "en",
      },
      {
        which: "the tag's own",
        attributes: 'data-lang="pl" data-text-open="Otwórz czat" data-text-placeholder="Napisz wiadomość"',
        open: "Otwórz czat",
        write: "Napisz wiadomość",
        as: "pl",
      },
    ])("speaks a language: $which", async ({ open, write: placeholder, as, which: _, ...options }) => {
      const { page } = await widgets.visit({ ...options, launcher: open });
      expect(await page.locator("textarea").getAttribute("placeholder")).toBe(placeholder);
      expect(await page.locator(".root").getAttribute("lang")).toBe(as);
      expect(await accessibilityFaults(page)).toEqual([]);
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
      const focused = () => focusedIn(page);
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
      const faults: string[] = [];
      page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
      onTestFinished(async () => {
        await page.close();
        child.kill();
        await once(child, "exit");
        await rm(dataDir, { recursive: true, force: true });
        expect(faults).toEqual([]);
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
  },
);
