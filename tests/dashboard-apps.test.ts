import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { buildApp } from "@parley/platform/cli/app/build-app.ts";
import { MANIFEST_FILE } from "@parley/platform/manifest/manifest.ts";
import { SLOTS } from "@parley/platform/manifest/surfaces.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { agree, installApp, publishZip, type TestApp, zipOf } from "../testkit/apps.ts";
import { TestDashboard } from "../testkit/dashboard.ts";
import { keepCall } from "../testkit/kept-call.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import { TestPerson } from "../testkit/person.ts";

const EXAMPLES = fileURLToPath(new URL("../examples/apps", import.meta.url));
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

  /** An agent of the person, and a call that it had. */
  async function agentWithCall(): Promise<{ agentId: string; sessionId: string }> {
    const { body } = await person.call("POST", "/api/agents", {
      name: "Front desk",
      brain: { kind: "model", model: "m", prompt: "Hi" },
    });
    await dashboard.api.registerNode();
    const { id: agentId } = body.data as { id: string };
    const key = await person.call("POST", `/api/orgs/${person.orgId}/api-keys`, { name: "k", role: "owner" });
    const { secret: owner } = key.body.data as { secret: string };
    const org = { orgId: person.orgId, agentId, keys: { owner } } as TestOrganization;
    return { agentId, sessionId: (await keepCall(dashboard.api, org)).sessionId };
  }

  async function installExample(name: string): Promise<string> {
    const bundle = await buildApp(`${EXAMPLES}/${name}`);
    const manifest = JSON.parse(new TextDecoder().decode(bundle.get(MANIFEST_FILE))) as TestApp;
    const published = await publishZip(person, zipOf(bundle));
    expect(published.status).toBe(201);
    const { id } = (published.body.data as { app: { id: string } }).app;
    await agree(person, id, manifest);
    return id;
  }

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
    const { sessionId } = await agentWithCall();
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
    const saved = page.getByText("The app helper-app: Saved").waitFor();
    await modal.getByRole("button", { name: "Toast" }).click();
    await saved;
    // The press takes its own frame away, and may never be told that it was done.
    modal
      .getByRole("button", { name: "Close" })
      .click()
      .catch(() => undefined);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Helper" }).click();
    const frame = page.frameLocator("iframe");
    await frame.getByText("panel is light").waitFor();
    const current = page.getByRole("navigation", { name: "Pages" }).locator("[aria-current=page]");
    await expect.poll(() => current.allTextContents()).toEqual(["Helper"]);
    await page.emulateMedia({ colorScheme: "dark" });
    await frame.getByText("panel is dark").waitFor();
    await frame.getByRole("button", { name: "Dial" }).click();
    await page.waitForURL("**/softphone?to=**");
    expect(await page.getByRole("textbox").first().inputValue()).toContain("202");
  });

  it("has buttons in the lists, whose page learns which was pressed and where", async () => {
    const { agentId } = await agentWithCall();
    const { body } = await person.call("POST", `/api/orgs/${person.orgId}/campaigns`, {
      ...{ name: "Reminders", agentId },
    });
    const { id: campaignId } = body.data as { id: string };
    const button = { kind: "list_action", pageId: "panel" };
    await installApp(person, {
      id: "button-app",
      manifest: {
        ui: {
          entry: "index.js",
          pages: [{ id: "panel", title: "Buttons" }],
          contributions: [
            { ...button, id: "last", label: "At the right", surface: "campaigns_list", align: "right" },
            { ...button, id: "all", label: "Look at all", surface: "campaigns_list" },
            { ...button, id: "people", label: "Add people", surface: "campaign_targets", modal: true },
            { ...button, id: "agents", label: "Check agents", surface: "agents_list" },
          ],
        },
      },
      // It is on the screen long before it listens.
      script: `const { context, onActivate } = window.platform; const root = document.getElementById("root");
        root.textContent = "here"; setTimeout(() => onActivate((id) => {
          root.textContent = id + " pressed " + JSON.stringify([context.campaignId, context.agentId]); }), 300);`,
    });
    const page = await dashboard.openAs(person.email, "/campaigns");
    const right = page.getByRole("button", { name: "At the right" });
    const left = page.getByRole("button", { name: "Look at all" });
    await right.waitFor();
    const [leftBox, rightBox] = [await left.boundingBox(), await right.boundingBox()];
    expect(rightBox?.x).toBeGreaterThan((leftBox?.x ?? 0) + (leftBox?.width ?? 0) + 50);
    await left.click();
    await page.frameLocator("iframe").getByText("all pressed [null,null]").waitFor();
    await page.goto(dashboard.address("/agents"));
    await page.getByRole("button", { name: "Check agents" }).click();
    await page.frameLocator("iframe").getByText("agents pressed").waitFor();
    await page.goto(dashboard.address(`/campaigns/${campaignId}`));
    await page.getByRole("button", { name: "Add people The app button-app" }).click();
    const modal = page.getByRole("dialog").frameLocator("iframe");
    await modal.getByText(`people pressed ${JSON.stringify([campaignId, agentId])}`).waitFor();
  });

  it("listens to more than a browser has connections for, and goes on working", async () => {
    const types = Array.from({ length: 12 }, (_, n) => `type${n}`);
    await installApp(person, {
      id: "listener-app",
      scopes: types.map((type) => `objects:${type}`),
      manifest: { ui: { entry: "index.js", pages: [{ id: "panel", title: "Listener", menu: true }] } },
      script: `const { data } = window.platform; const root = document.getElementById("root"); let heard = 0;
        const types = ${JSON.stringify(types)};
        const hear = () => { heard += 1; root.textContent = "heard " + heard; };
        const stops = await Promise.all(types.map((type) => data.subscribe(type, hear)));
        await Promise.all(types.map((type) => data.create(type, { a: 1 })));
        await data.create("type0", { b: undefined, at: new Date() });
        stops[0](); root.append(" and stopped");`,
    });
    const page = await dashboard.openAs(person.email, "/");
    await page.getByRole("link", { name: "Listener" }).click();
    await page.frameLocator("iframe").getByText("heard 13").waitFor();
  });

  it("is shown in each slot on its page, and the examples do there what they are for", async () => {
    const extensions = SLOTS.map((slot) => ({ slot, page_id: "panel", title: slot }));
    await installApp(person, {
      id: "everywhere",
      manifest: { ui: { entry: "index.js", pages: [{ id: "panel", title: "Panel" }], extensions } },
      script: `const { context } = window.platform;
        document.getElementById("root").textContent = ["panel with", ...["callId", "agentId", "campaignId"].filter((key) => key in context)].join(" ");`,
    });
    const { agentId, sessionId } = await agentWithCall();
    const { body } = await person.call("POST", `/api/orgs/${person.orgId}/campaigns`, {
      ...{ name: "Renewals", agentId },
    });
    const { id: campaignId } = body.data as { id: string };
    const helpDesk = await installExample("help-desk");
    await person.call("PATCH", `/api/orgs/${person.orgId}/apps/${helpDesk}/settings`, {
      settings: { subdomain: "acme", statusToken: "s3cret" },
    });
    await installExample("call-follow-ups");
    await installExample("lead-importer");

    const page = await dashboard.openAs(person.email, "/");
    const panel = (title: string, app: string) =>
      page.getByRole("region", { name: `${title}, by ${app}` }).frameLocator("iframe");
    const shows = async (slot: (typeof SLOTS)[number], path: string, text: string): Promise<void> => {
      await page.goto(dashboard.address(path));
      await panel(slot, "The app everywhere").getByText(text, { exact: true }).waitFor();
    };
    await shows("dashboard_widget", "/", "panel with");
    await shows("agents_overview_panel", "/agents", "panel with");
    await shows("agent_builder_panel", `/agents/${agentId}`, "panel with agentId");
    await shows("call_list_panel", "/calls", "panel with");
    await shows("softphone_call_panel", "/softphone", "panel with");
    await shows("call_detail_panel", `/calls/${sessionId}`, "panel with callId");

    const followUps = panel("Follow-ups", "Call follow-ups");
    await followUps.getByText("Nothing left to do.").waitFor();
    await followUps.getByLabel("Follow-up").fill("Send the invoice");
    await followUps.getByRole("button", { name: "Add follow-up" }).click();
    await followUps.getByRole("button", { name: "Mark as done" }).click();
    await followUps.getByText("Nothing left to do.").waitFor();
    await panel("Help desk", "Help desk").getByText("No open tickets.").waitFor();

    await shows("campaign_targets_panel", `/campaigns/${campaignId}`, "panel with agentId campaignId");
    const leads = Buffer.from("phone,name\n+12025550111,Ada\n+12025550112,Bob\n");
    await panel("Import leads", "Lead importer")
      .getByLabel("CSV file")
      .setInputFiles({ name: "leads.csv", mimeType: "text/csv", buffer: leads });
    const review = page.getByRole("dialog").frameLocator("iframe");
    await review.getByRole("cell", { name: "Ada" }).waitFor();
    const told = page.getByText("Lead importer: Added 2 of 2 people.").waitFor();
    // The press takes its own frame away, and may never be told that it was done.
    review
      .getByRole("button", { name: "Add 2 people" })
      .click()
      .catch(() => undefined);
    await told;
    await page.getByRole("rowheader", { name: "+1 202 555 0112" }).waitFor();
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
      await page.getByText("Dev preview from http://localhost:").waitFor();
      await expect.poll(() => listeners.size).toBeGreaterThan(0);
      round = 2;
      for (const tell of listeners) tell("data: rebuilt\n\n");
      await frame.getByText("round 2").waitFor();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("says that a preview cannot be loaded, shows it once its server is there, and falls back to what is installed", async () => {
    const server: Server = createServer((request, response) => {
      response.setHeader("access-control-allow-origin", "*");
      if (request.url === "/__livereload")
        return response.writeHead(200, { "content-type": "text/event-stream" }).write(": here\n\n");
      response.writeHead(200, { "content-type": "text/javascript" });
      return response.end(`document.getElementById("root").textContent = "from the server"`);
    });
    const port = await freePort();
    const expects = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING/;
    const page = await dashboard.openAs(person.email, "/apps", { expects });
    await page.getByRole("link", { name: "Call notes" }).click();
    await page.getByLabel("Dev server").fill(`http://localhost:${port}`);
    await page.getByRole("button", { name: /start preview/i }).click();
    await page.getByRole("link", { name: "Notes", exact: true }).click();
    await page.getByText(`could not be loaded: http://localhost:${port}/index.js. Is its`).first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    server.listen(port, "127.0.0.1");
    try {
      await page.frameLocator("iframe").getByText("from the server").waitFor();
    } finally {
      server.closeAllConnections();
      server.close();
    }
    await page.reload();
    await page.getByText("Is its development server running?").first().waitFor();
    await page.getByRole("button", { name: "Stop preview" }).click();
    await page.frameLocator("iframe").getByLabel("Note").waitFor();
    expect(await page.getByText("Dev preview from").count()).toBe(0);
    await page.reload();
    await page.frameLocator("iframe").getByLabel("Note").waitFor();
  });

  it("is what is installed again for whoever may not preview any more, with their next call", async () => {
    const developer = await memberOnly(dashboard.api, person.orgId, "developer");
    const script = `const { data } = window.platform; const root = document.getElementById("root");
      const b = document.createElement("button"); b.textContent = "Ask"; root.append(b);
      b.onclick = () => data.list("note").catch((error) => root.append(error.code));`;
    const server: Server = createServer((request, response) => {
      response.setHeader("access-control-allow-origin", "*");
      const isScript = request.url === "/index.js";
      response.writeHead(isScript ? 200 : 404, { "content-type": "text/javascript" });
      response.end(isScript ? script : "");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const page = await dashboard.openAs(developer.email, "/apps");
      await page.getByRole("link", { name: "Call notes" }).click();
      await page.getByLabel("Dev server").fill(`http://localhost:${port}`);
      await page.getByRole("button", { name: /start preview/i }).click();
      await page.getByRole("link", { name: "Notes", exact: true }).click();
      const ask = page.frameLocator("iframe").getByRole("button", { name: "Ask" });
      await ask.waitFor();
      const path = `/api/orgs/${person.orgId}/members/${developer.userId}`;
      expect((await person.call("PATCH", path, { role: "viewer" })).status).toBe(200);
      await ask.click();
      await page.frameLocator("iframe").getByLabel("Note").waitFor();
      expect(await page.getByText("Dev preview from").count()).toBe(0);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
