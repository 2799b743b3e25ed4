import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lentPage } from "./lent-page.ts";
import { needs } from "./needs.ts";

const LOOK = { width: 800, height: 600, dark: false };

describe.runIf(needs("chromium"))("a page that was lent before", () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((_req, res) => res.setHeader("content-type", "text/html").end("<p>Here</p>"));
    await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => void server.close());

  /** What a script on it sees of whoever had it before. */
  const traces = (page: Page) =>
    page.evaluate(async () => ({
      kept: [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length],
      cookies: document.cookie,
      history: history.length,
      clipboard: (await navigator.permissions.query({ name: "clipboard-read" as PermissionName })).state,
      wide: innerWidth,
      dark: matchMedia("(prefers-color-scheme: dark)").matches,
    }));

  test("is as a new one", async () => {
    const first = await lentPage({ ...LOOK, width: 390, dark: true });
    await first.page.goto(url);
    const untouched = await traces(first.page);
    await first.page.context().addCookies([{ name: "kept", value: "1", url }]);
    await first.page.context().grantPermissions(["clipboard-read"]);
    await first.page.route("**/*", (route) => route.fulfill({ body: "intercepted" }));
    await first.page.goto(`${url}second`);
    await first.page.context().setOffline(true);
    await first.page.evaluate(async () => {
      localStorage.setItem("kept", "1");
      sessionStorage.setItem("kept", "1");
      await new Promise((opened) => {
        indexedDB.open("kept").onsuccess = opened;
      });
    });
    await first.giveBack(false);

    const second = await lentPage(LOOK);
    expect(second.page).toBe(first.page);
    await second.page.goto(url);
    expect(await second.page.textContent("body")).toBe("Here");
    expect(await traces(second.page)).toEqual({ ...untouched, wide: 800, dark: false });
    await second.giveBack(false);
  });

  test("is lent to one at a time, without the pages that it opened", async () => {
    const [first, second] = [await lentPage(LOOK), await lentPage(LOOK)];
    expect(first.page).not.toBe(second.page);
    const popup = await first.page.context().newPage();
    await first.giveBack(false);
    await second.giveBack(false);
    expect(popup.isClosed()).toBe(true);
  });

  test("is not lent again when it was spoiled", async () => {
    const spoiled = await lentPage(LOOK);
    await spoiled.giveBack(true);
    const next = await lentPage(LOOK);
    expect(spoiled.page.isClosed()).toBe(true);
    expect(next.page).not.toBe(spoiled.page);
    await next.giveBack(false);
  });
});
