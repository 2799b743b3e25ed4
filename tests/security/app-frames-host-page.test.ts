import { chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { HostileApps } from "../../testkit/hostile-apps.ts";
import { chromiumPath, needs } from "../../testkit/needs.ts";

const PAGES = [{ id: "panel", title: "Hostile", menu: true }];

describe.runIf(needs("chromium"))("the page around a hostile app", () => {
  let apps: HostileApps;
  beforeAll(async () => {
    apps = await HostileApps.start();
  });
  afterEach(() => apps.leave());
  afterAll(() => apps.close());

  test("goes on when the app takes all the memory there is, and says that it stopped", async () => {
    const executablePath = chromiumPath() ?? "";
    // A little memory is soon full.
    const args = ["--no-sandbox", "--site-per-process", "--js-flags=--max-old-space-size=96"];
    const browser = await chromium.launch({ executablePath, args });
    try {
      const bomb = `const start = document.createElement("button"); start.textContent = "Grow";
        start.onclick = () => setTimeout(() => { const all = []; for (;;) all.push(new Array(100_000).fill(all.length + 0.5)); });
        document.getElementById("root").append(start);`;
      const { page } = await apps.run(bomb, {}, async () => {
        const context = await browser.newContext();
        // The dashboard asks the frame ten times as often.
        await context.addInitScript(
          "const each = setInterval; setInterval = (work, ms, ...more) => each(work, ms / 10, ...more)",
        );
        return context;
      });
      const start = page.frameLocator("iframe").getByRole("button", { name: "Grow" });
      await start.waitFor();
      // Playwright gives a page up whose frame crashed; the browser does not.
      const devtools = await page.context().newCDPSession(page);
      const read = async (expression: string): Promise<unknown> =>
        (await devtools.send("Runtime.evaluate", { expression })).result.value;
      await start.click();
      await expect
        .poll(() => read("document.body.innerText"), { timeout: 90_000 })
        .toContain("app stopped responding");
      expect(await read("document.querySelectorAll('iframe').length")).toBe(0);
      await read("document.querySelector('a[href=\"/agents\"]').click()");
      await expect.poll(() => read("location.pathname"), { timeout: 90_000 }).toBe("/agents");
    } finally {
      await browser.close();
    }
  });

  test("keeps the focus where somebody types, whatever the app focuses, and lets them into the app", async () => {
    const extensions = [{ slot: "softphone_call_panel", page_id: "panel", title: "Thief" }];
    const thief = `const field = document.createElement("input"); field.setAttribute("aria-label", "Theirs");
      document.getElementById("root").append(field);
      setInterval(() => { window.focus(); field.focus(); }, 5);`;
    const { page } = await apps.run(thief, {
      manifest: { ui: { entry: "index.js", pages: PAGES, extensions } },
    });
    const theirs = page.frameLocator("iframe").getByLabel("Theirs");
    await theirs.waitFor();
    await page.getByRole("link", { name: "Softphone" }).first().click();
    await page.getByRole("region", { name: /^Thief, by/ }).waitFor();
    await theirs.waitFor();
    const own = page.getByRole("textbox").first();
    await own.click();
    await page.keyboard.type("2025550123", { delay: 20 });
    expect((await own.inputValue()).replaceAll(/\D/g, "")).toBe("2025550123");
    expect(await theirs.inputValue()).toBe("");
    // Real time: a hand takes half a second from the keys to the mouse, and by that a person is known.
    await page.waitForTimeout(600);
    await theirs.click();
    await page.keyboard.type("mine");
    expect(await theirs.inputValue()).toBe("mine");
  });

  test("stops an app that takes the focus in other ways again and again while somebody types", async () => {
    const extensions = [{ slot: "softphone_call_panel", page_id: "panel", title: "Sly" }];
    const sly = `const root = document.getElementById("root");
      root.innerHTML = "<label for=sly>Label</label><input id=sly><p id=text contenteditable>Text</p>";
      setInterval(() => {
        root.querySelector("label").click();
        getSelection().collapse(document.getElementById("text"), 0);
        location.hash = "#sly";
      }, 20);`;
    const { page } = await apps.run(sly, {
      manifest: { ui: { entry: "index.js", pages: PAGES, extensions } },
    });
    await page.frameLocator("iframe").getByText("Label").waitFor();
    await page.getByRole("link", { name: "Softphone" }).first().click();
    // The page puts the focus into this field by itself, so the app may be stopped before a key is pressed.
    const panel = page.getByRole("region", { name: /^Sly, by/ });
    const own = page.getByRole("textbox").first();
    const isStopped = panel.getByText("took the focus while you were typing");
    await expect
      .poll(async () => {
        // Whoever lost the focus goes back: a machine that is slow enough for the app to keep it types into the app.
        await own.click();
        await page.keyboard.type("2");
        return isStopped.count();
      })
      .toBe(1);
    expect(await panel.locator("iframe").count()).toBe(0);
  });

  test("stops an app that waits for a pause in what somebody types", async () => {
    const extensions = [{ slot: "softphone_call_panel", page_id: "panel", title: "Patient" }];
    // Longer than whoever pauses is taken to be typing.
    const patient = `const root = document.getElementById("root");
      root.innerHTML = "<label for=patient>Label</label><input id=patient>";
      setInterval(() => root.querySelector("label").click(), 700);`;
    const { page } = await apps.run(patient, {
      manifest: { ui: { entry: "index.js", pages: PAGES, extensions } },
    });
    await page.frameLocator("iframe").getByText("Label").waitFor();
    await page.getByRole("link", { name: "Softphone" }).first().click();
    const panel = page.getByRole("region", { name: /^Patient, by/ });
    await panel.frameLocator("iframe").getByText("Label").waitFor();
    const own = page.getByRole("textbox").first();
    await own.click();
    await panel.getByText("took the focus while you were typing").waitFor();
    expect(await own.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  test("keeps what somebody types from an app that grows beneath their pointer, until they move it there", async () => {
    const extensions = [{ slot: "softphone_call_panel", page_id: "panel", title: "Growing" }];
    const growing = `const root = document.getElementById("root");
      root.innerHTML = "<label for=growing>Label</label><input id=growing>";
      root.addEventListener("grow", () => { root.style.height = "1200px"; });
      root.addEventListener("steal", () => root.querySelector("label").click());`;
    const { page } = await apps.run(growing, {
      manifest: { ui: { entry: "index.js", pages: PAGES, extensions } },
    });
    await page.frameLocator("iframe").getByText("Label").waitFor();
    await page.getByRole("link", { name: "Softphone" }).first().click();
    const frame = page.getByRole("region", { name: /^Growing, by/ }).locator("iframe");
    const theirs = frame.contentFrame().getByRole("textbox");
    await theirs.waitFor();
    const own = page.getByRole("textbox").first();
    await own.click();
    await theirs.dispatchEvent("grow");
    await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThan(1_000);
    await own.evaluate((field) =>
      field.addEventListener("focus", () => field.setAttribute("data-again", "")),
    );
    // Real time: whoever presses no key for so long may have gone on to the app.
    await page.waitForTimeout(500);
    await theirs.dispatchEvent("steal");
    await expect.poll(() => own.getAttribute("data-again")).toBe("");
    await page.keyboard.type("5");
    expect(await own.inputValue()).toBe("5");
    // Real time: a hand takes half a second from the keys to the mouse, and by that a person is known.
    await page.waitForTimeout(600);
    await frame.evaluate((element) => element.scrollIntoView());
    const { x = 0, y = 0 } = (await theirs.boundingBox()) ?? {};
    // From elsewhere in the app to its field, as a hand moves.
    for (const away of [40, 20, 5]) await page.mouse.move(x + away, y + 5);
    await expect.poll(() => frame.evaluate((element) => element.matches(":hover"))).toBe(true);
    // The browser learns with a picture or two that the frame feels the pointer again: a hand is slower than that.
    await expect
      .poll(async () => {
        await page.mouse.click(x + 5, y + 5);
        return frame.evaluate((element) => element === document.activeElement);
      })
      .toBe(true);
    await page.keyboard.type("mine");
    expect(await theirs.inputValue()).toBe("mine");
  });

  test.each([
    ["makes entries in the history", "for (let n = 0; n < 60; n += 1) history.pushState({ n }, '')"],
    ["goes back in the history", "history.back(); history.go(-2); navigation.back?.()"],
  ])("is left by one step back from an app that %s", async (_, code) => {
    const { page } = await apps.run(
      `try { ${code}; } catch {}
       document.getElementById("root").textContent = "tried";`,
      { manifest: { ui: { entry: "index.js", pages: PAGES } } },
    );
    const tried = page.frameLocator("iframe").getByText("tried");
    await tried.waitFor();
    const address = page.url();
    await page.getByRole("link", { name: "Agents" }).first().click();
    await page.waitForURL("**/agents");
    await page.getByRole("link", { name: "Hostile", exact: true }).last().click();
    await tried.waitFor();
    expect(page.url()).toBe(address);
    await page.goBack();
    await page.waitForURL("**/agents");
  });

  test("goes on beside an app that moves through fragments of its own address", async () => {
    const { page } = await apps.run(
      `for (let n = 0; n < 60; n += 1) location.hash = "at" + n;
       document.getElementById("root").textContent = "tried";`,
    );
    const tried = page.frameLocator("iframe").getByText("tried");
    await tried.waitFor();
    const address = page.url();
    await page.getByRole("link", { name: "Agents" }).first().click();
    await page.waitForURL("**/agents");
    await page.goBack();
    await page.waitForURL(address);
    await tried.waitFor();
  });
});
