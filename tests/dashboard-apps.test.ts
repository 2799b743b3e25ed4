import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { buildApp } from "@parley/platform/cli/app/build-app.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { installApp, publishZip, zipOf } from "../testkit/apps.ts";
import { TestDashboard } from "../testkit/dashboard.ts";
import { keepCall } from "../testkit/kept-call.ts";
import { needs } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import { TestPerson } from "../testkit/person.ts";

const TEMPLATE = fileURLToPath(new URL("../platform/cli/app/template", import.meta.url));

describe.runIf(needs("chromium"))("an app in the dashboard", () => {
  let dashboard: TestDashboard;
  let person: TestPerson;
  beforeAll(async () => {
    dashboard = await TestDashboard.start();
    person = await TestPerson.register(dashboard.api);
    expect((await publishZip(person, zipOf(await buildApp(TEMPLATE)))).status).toBe(201);
  });
  afterAll(() => dashboard.close());

  it("is installed by somebody who read what it may do, and is then in the sidebar", async () => {
    const page = await dashboard.openAs(person.email, "/apps");
    await page.getByRole("link", { name: "Call notes" }).click();
    await page.getByRole("button", { name: "Install" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Keep and change its own records of type “note”").waitFor();
    await dialog.getByRole("button", { name: "Install" }).click();
    await page.getByRole("button", { name: "Uninstall" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("link", { name: "Notes", exact: true }).click();
    await page.frameLocator("iframe").getByText("No notes yet.").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("shows on a call's page what it keeps, live on every page that shows it", async () => {
    const { body } = await person.call("POST", "/api/agents", {
      name: "Front desk",
      brain: { kind: "model", model: "m", prompt: "Hi" },
    });
    await dashboard.api.registerNode();
    const { id: agentId } = body.data as { id: string };
    const key = await person.call("POST", `/api/orgs/${person.orgId}/api-keys`, { name: "k", role: "owner" });
    const { secret: owner } = key.body.data as { secret: string };
    const org = { orgId: person.orgId, agentId, keys: { owner } } as TestOrganization;
    const { sessionId } = await keepCall(dashboard.api, org);
    const panel = await dashboard.openAs(person.email, `/calls/${sessionId}`);
    const inPanel = panel.getByRole("region", { name: "Notes, by Call notes" }).frameLocator("iframe");
    await inPanel.getByText("No notes yet.").waitFor();
    const all = await dashboard.openAs(person.email, "/");
    await all.getByRole("link", { name: "Notes", exact: true }).click();
    const inAll = all.frameLocator("iframe");
    await inAll.getByText("No notes yet.").waitFor();
    await inPanel.getByLabel("Note").fill("Send the invoice");
    await inPanel.getByRole("button", { name: "Add note" }).click();
    await inPanel.getByText("Send the invoice").waitFor();
    await inAll.getByText("Send the invoice").waitFor();
    await inAll.getByRole("button", { name: "Open call" }).click();
    await all.waitForURL(`**/calls/${sessionId}`);
    await inPanel.getByRole("button", { name: "Done" }).click();
    await inPanel.getByText("No notes yet.").waitFor();
  });

  it("has the dashboard dial, show a modal and a short message, and take its theme along", async () => {
    await installApp(person, {
      id: "helper-app",
      scopes: ["softphone:dial"],
      manifest: {
        ui: {
          entry: "index.js",
          pages: [
            { id: "panel", title: "Helper", menu: true },
            { id: "more", title: "More" },
          ],
          contributions: [
            {
              kind: "list_action",
              surface: "calls_list",
              id: "help",
              label: "Help me",
              pageId: "more",
              modal: true,
            },
          ],
        },
      },
      script: `const { platform } = window; const root = document.getElementById("root");
        const button = (text, press) => { const b = document.createElement("button"); b.textContent = text; b.onclick = press; root.append(b); };
        const told = document.createElement("p"); root.append(told);
        const tell = () => { told.textContent = platform.context.pageId + " is " + platform.theme.mode(); };
        tell(); platform.theme.onChange(tell);
        button("Dial", () => platform.softphone.dial("+12025550123"));
        button("Toast", () => platform.ui.toast("Saved"));
        button("Close", () => platform.ui.closeModal());`,
    });
    const page = await dashboard.openAs(person.email, "/calls");
    await page.getByRole("button", { name: "Help me" }).click();
    const modal = page.getByRole("dialog").frameLocator("iframe");
    await modal.getByText("more is light").waitFor();
    await modal.getByRole("button", { name: "Toast" }).click();
    await page.getByText("The app helper-app Saved").waitFor();
    await modal.getByRole("button", { name: "Close" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Helper" }).click();
    const frame = page.frameLocator("iframe");
    await frame.getByText("panel is light").waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    await frame.getByText("panel is dark").waitFor();
    await frame.getByRole("button", { name: "Dial" }).click();
    await page.waitForURL("**/softphone?to=**");
    expect(await page.getByRole("textbox").first().inputValue()).toContain("202");
  });

  it("comes from its builder's own machine in a dev preview, and again with each change", async () => {
    let round = 1;
    const listeners = new Set<(text: string) => void>();
    const server: Server = createServer((request, response) => {
      response.setHeader("access-control-allow-origin", "*");
      if (request.url === "/__livereload") {
        response.writeHead(200, { "content-type": "text/event-stream" }).write(": here\n\n");
        listeners.add((text) => response.write(text));
        return;
      }
      response.writeHead(200, { "content-type": "text/javascript" });
      response.end(`document.getElementById("root").textContent = "round ${round}"`);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const page = await dashboard.openAs(person.email, "/apps");
      await page.getByRole("link", { name: "Call notes" }).click();
      const address = page.getByLabel("Dev server");
      expect(await address.inputValue()).toBe("http://localhost:5174");
      await address.fill(`http://localhost:${(server.address() as AddressInfo).port}`);
      await page.getByRole("button", { name: /start preview/i }).click();
      await page.getByRole("link", { name: "Notes", exact: true }).click();
      const frame = page.frameLocator("iframe");
      await frame.getByText("round 1").waitFor();
      await expect.poll(() => listeners.size).toBeGreaterThan(0);
      round = 2;
      for (const tell of listeners) tell("data: rebuilt\n\n");
      await frame.getByText("round 2").waitFor();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
