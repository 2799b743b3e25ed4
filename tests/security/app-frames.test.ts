import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { installApp } from "../../testkit/apps.ts";
import { HostileApps } from "../../testkit/hostile-apps.ts";
import { needs } from "../../testkit/needs.ts";

describe.runIf(needs("chromium"))("a hostile app", () => {
  let apps: HostileApps;
  beforeAll(async () => {
    apps = await HostileApps.start();
  });
  afterEach(() => apps.leave());
  afterAll(() => apps.close());

  test("reaches nothing of the dashboard: no document, no cookies, no storage, no credentials", async () => {
    const results = await apps.attack({
      parent: "return parent.document.title",
      top: "return top.location.href",
      storage: "return parent.localStorage.length",
      cookie: "document.cookie = 'a=1'; return document.cookie",
      own: "localStorage.setItem('a', '1'); return localStorage.a + localStorage.length",
      base: "return document.baseURI",
      referrer: "return '[' + document.referrer + ']'",
      platform: "return JSON.stringify(window.platform).includes('token')",
      frozen: "window.platform = 1; return typeof window.platform",
    });
    expect(results).toMatchObject({
      parent: "threw SecurityError",
      top: "threw SecurityError",
      storage: "threw SecurityError",
      cookie: "a=1",
      own: "11",
      referrer: "[]",
      platform: "false",
      frozen: "threw TypeError",
    });
    expect(results.base).not.toContain(apps.dashboard.address(""));
  });

  test("tells nobody anything: no request, socket, image, font, frame, worker or datagram leaves", async () => {
    const before = apps.listener.heard.length;
    const insert = (
      html: string,
    ): string => `const at = document.createElement("div"); document.body.append(at);
      at.innerHTML = \`${html}\`; await new Promise((done) => setTimeout(done, 50));`;
    await apps.attack({
      fetch: "await fetch(URL_ + '/fetch', { mode: 'no-cors' })",
      xhr: "const x = new XMLHttpRequest(); x.open('GET', URL_ + '/xhr'); x.send(); await new Promise((d) => setTimeout(d, 50))",
      beacon: "navigator.sendBeacon(URL_ + '/beacon', 'x')",
      socket: "new WebSocket(URL_.replace('http', 'ws')); await new Promise((d) => setTimeout(d, 50))",
      events: "new EventSource(URL_ + '/events')",
      image: "new Image().src = URL_ + '/image'; await new Promise((d) => setTimeout(d, 50))",
      style: insert("<style>@import url(@@/import); #root { background: url(@@/css) }</style>"),
      font: "await new FontFace('x', `url(@@/font)`).load()",
      links: insert(
        "<link rel=prefetch href=@@/prefetch><link rel=preload as=image href=@@/preload><link rel=stylesheet href=@@/sheet><link rel=modulepreload href=@@/module>",
      ),
      media: insert(
        "<video src=@@/video autoplay></video><object data=@@/object></object><embed src=@@/embed>",
      ),
      frame: insert("<iframe src=@@/frame></iframe>"),
      worker:
        "new Worker(URL.createObjectURL(new Blob([`fetch('@@/worker')`]))); await new Promise((d) => setTimeout(d, 50))",
      module: "await import(URL_ + '/import.js')",
      webrtc: "new RTCPeerConnection()",
      transport: `await new WebTransport('https://127.0.0.1:${apps.listener.httpPort}/').ready`,
      evaluated: "return eval('1')",
    });
    expect(apps.saidSince(before)).toEqual([]);
  });

  test("makes no document of its own, in which WebRTC would be there again", async () => {
    const rtc = `stun:127.0.0.1:${apps.listener.udpPort}`;
    const results = await apps.attack({
      srcdoc:
        "const f = document.createElement('iframe'); f.srcdoc = 'x'; document.body.append(f); return 'made'",
      attribute: "const f = document.createElement('iframe'); f.setAttribute('srcdoc', 'x'); return 'made'",
      html: "document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc=x></iframe>'); return 'made'",
      blank: `const f = document.createElement('iframe'); document.body.append(f);
        const p = new f.contentWindow.RTCPeerConnection({ iceServers: [{ urls: '${rtc}' }] }); return 'made'`,
      policy: "trustedTypes.createPolicy('own', { createHTML: (x) => x }); return 'made'",
      prototype:
        "return String(Object.getOwnPropertyNames(window).filter((n) => /RTCPeerConnection$/.test(n) && window[n]))",
    });
    for (const [name, result] of Object.entries(results)) {
      if (name !== "prototype") expect(`${name}: ${result}`).toMatch(/threw/);
    }
    expect(results.prototype).toBe("");
    expect(apps.listener.heard.filter((one) => one.startsWith("udp"))).toEqual([]);
  });

  test.each([
    ["location", "location.href = TO"],
    [
      "meta refresh",
      "const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url=' + TO; document.head.append(m)",
    ],
    ["a link", "const a = document.createElement('a'); a.href = TO; document.body.append(a); a.click()"],
    [
      "a form",
      "const f = document.createElement('form'); f.method = 'post'; f.action = TO; document.body.append(f); f.submit()",
    ],
  ])("that leaves its page by %s is stopped, and the page it wanted hears nothing", async (_, code) => {
    const before = apps.listener.heard.length;
    const { page } = await apps.run(`const TO = ${JSON.stringify(`${apps.listener.url}/leaving`)}; ${code}`);
    await page.getByText("tried to leave its page").waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
    expect(apps.saidSince(before)).toEqual([]);
    // The dashboard goes on.
    await page.getByRole("button", { name: "Reload" }).waitFor();
  });

  test("that loads its own frame again gets no second port", async () => {
    const { page } = await apps.run("location.reload()");
    await page.getByText("tried to leave its page").waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
  });

  test("gets no second port by a hello of its own, nor one of another's", async () => {
    const results = await apps.attack({
      again: `return await new Promise((done) => {
        addEventListener("message", (event) => done("a port: " + event.ports.length));
        for (const nonce of ["", "x"]) parent.postMessage({ kind: "parley-hello", nonce }, "*");
        parent.postMessage({ kind: "init" }, "*");
        setTimeout(() => done("nothing"), 200);
      })`,
    });
    expect(results.again).toBe("nothing");
  });

  test("that takes the port from the runtime and floods it is stopped, and the page goes on", async () => {
    const { page } = await apps.run(
      `const post = MessagePort.prototype.postMessage; let port;
       MessagePort.prototype.postMessage = function (...sent) { port = this; return post.apply(this, sent); };
       window.platform.ui.toast("x").catch(() => 0);
       for (let id = 1; id < 5000; id++) port.postMessage({ kind: "cancel", id });`,
    );
    await page.getByText("sent more messages than a page can mean").waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
    expect(await page.evaluate("1 + 1")).toBe(2);
  });

  test("has its words shown as text, with its name, and its errors beside it", async () => {
    const { page } = await apps.run(
      `document.getElementById("root").textContent = "here";
       window.platform.ui.toast("<img src=x onerror=alert(1)>Sign in again");
       setTimeout(() => { throw new Error("it broke"); }, 0);`,
    );
    const toast = page.locator(".toast");
    await toast.waitFor();
    expect(await toast.textContent()).toContain(`The app hostile-${apps.made}`);
    expect(await toast.textContent()).toContain("<img src=x");
    expect(await toast.locator("img").count()).toBe(0);
    await page.getByText("has an error: it broke").waitFor();
    await page.frameLocator("iframe").getByText("This app has an error").waitFor();
  });

  test("is as high as it is, and not endless", async () => {
    const { page } = await apps.run(
      "document.getElementById('root').style.height = '1000000px'; document.getElementById('root').append('x')",
    );
    await expect.poll(async () => (await page.locator("iframe").boundingBox())?.height).toBe(4_000);
  });

  test("is not opened by itself, and its files do nothing when they are", async () => {
    const appId = await installApp(apps.person, {
      id: "alone",
      files: { "a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>" },
    });
    const me = await apps.person.call("GET", "/api/apps/frames");
    const { origin } = me.body.data as { origin: string };
    const asked = (path: string, headers: Record<string, string> = {}) =>
      fetch(`${origin}/_apps/${appId}/${path}`, { headers });
    expect((await asked("1.0.0/frame", { "sec-fetch-dest": "document" })).status).toBe(403);
    const file = await asked("1.0.0/files/a.svg");
    expect(file.headers.get("content-security-policy")).toContain("sandbox");
    expect(file.headers.get("x-content-type-options")).toBe("nosniff");
    for (const path of [
      "1.0.0/files/../platform.app.json",
      "1.0.0/files/none.js",
      "9.9.9/files/index.js",
      "dev/frame?origin=http://evil.example",
    ])
      expect((await asked(path)).status, path).toBe(404);
    expect((await fetch(`${origin}/_apps/${appId}/1.0.0/frame`, { method: "POST" })).status).toBe(405);
  });
});
