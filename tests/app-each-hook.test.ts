import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppInDev } from "../testkit/app-in-dev.ts";
import { needs } from "../testkit/needs.ts";

/** Shows what each hook gives, and does what each of their actions does. */
const EACH = `import {
  mount, useAgents, useCall, useCallHistory, useContext, useObjects, usePlatform, useSettings, useTheme, useUser,
} from "platform/react";
import { useState } from "react";

const Shown = ({ name, value }) => <p data-testid={name}>{JSON.stringify(value)}</p>;

function App() {
  const { user: _, ...context } = useContext();
  const { can, ...user } = useUser();
  const settings = useSettings();
  const agents = useAgents();
  const history = useCallHistory({ number: "+15550001111" });
  const notes = useObjects("note", { state: "open" });
  const { initiate } = useCall();
  const platform = usePlatform();
  const [said, say] = useState("nothing yet");
  const does = (action) => () => action().then((value) => say(value ?? "done"), ({ code, message }) => say({ code, message }));
  const [first] = notes.data;
  return (
    <>
      <Shown name="context" value={context} />
      <Shown name="user" value={{ ...user, canView: can("view"), canAdmin: can("admin") }} />
      <Shown name="settings" value={{ all: settings.all(), color: settings.get("color"), token: settings.get("token") ?? null }} />
      <Shown name="theme" value={useTheme()} />
      <Shown name="agents" value={[agents.agents, agents.loading, agents.error]} />
      <Shown name="calls" value={[history.calls, history.loading, history.error && history.error.code]} />
      <Shown name="notes" value={[notes.data.map(({ data }) => data), notes.loading, notes.error]} />
      <Shown name="said" value={said} />
      <button onClick={does(() => notes.create({ text: "one", state: "open" }).then(({ data }) => data))}>Create</button>
      <button onClick={does(() => notes.update(first.id, { text: "two" }).then(({ data }) => data))}>Update</button>
      <button onClick={does(() => notes.remove(first.id))}>Remove</button>
      <button onClick={does(() => initiate("agt_1", "+15550001111", { name: "Ada" }))}>Call</button>
      <button onClick={does(() => platform.files.put("a.txt", "text"))}>Store</button>
      <button onClick={does(history.reload)}>Reload</button>
    </>
  );
}

mount(App);
`;

/** Lets a test change the bridge before the app has it. */
const ON_THE_WAY = (change: string): string => `
  const define = Object.defineProperty;
  Object.defineProperty = (target, name, of) =>
    define(target, name, target === window && name === "platform" ? { ...of, value: (${change})(of.value) } : of);`;

/** A dashboard with agents and calls; its second list of calls fails. */
const WITH_CALLS = ON_THE_WAY(`(platform) => ({
  ...platform,
  agents: { ...platform.agents, list: async () => [{ id: "agt_1", name: "Ada" }] },
  calls: {
    ...platform.calls,
    history: async (filters) => {
      window.listed = (window.listed ?? 0) + 1;
      if (window.fails) throw Object.assign(new Error("no"), { code: "unavailable" });
      return [{ id: "ses_1", to_number: filters.number }];
    },
    initiate: async (...all) => ({ all }),
  },
})`);

/** A dashboard from before all of it, but for where the page is. */
const OLDER = ON_THE_WAY("({ version, context, user }) => ({ version, context, user })");

describe.runIf(needs("chromium"))("each hook of apps", () => {
  let app: AppInDev;
  beforeAll(async () => {
    app = await AppInDev.start({
      manifest: {
        scopes: [
          "objects:note",
          "agents:read",
          "calls:read",
          "calls:initiate",
          "files:write",
          "user:profile",
        ],
        settings: [
          { key: "color", label: "Color", type: "text", default: "blue" },
          { key: "loud", label: "Loud", type: "boolean", default: true },
          { key: "token", label: "Token", type: "secret" },
        ],
        ui: { entry: "index.js", pages: [{ id: "panel", title: "Panel" }] },
      },
      source: EACH,
    });
  });
  afterAll(() => app.close());

  const shown = async (page: Page, name: string): Promise<unknown> =>
    JSON.parse((await page.getByTestId(name).textContent()) ?? "null");
  const eventually = (page: Page, name: string) => expect.poll(() => shown(page, name));
  const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

  it("tells where the page is, who looks at it, and what is set, without secrets", () =>
    app.onPage(
      async (page) => {
        expect(await shown(page, "context")).toEqual({
          ...{ appId: "an-app", pageId: "panel", page: "panel", title: "Panel" },
          callId: "ses_1",
        });
        expect(await shown(page, "user")).toMatchObject({
          ...{ id: "usr_dev", role: "owner", name: "Dev", email: "dev@example.com" },
          ...{ canView: true, canAdmin: false },
        });
        const all = { color: "blue", loud: true };
        expect(await shown(page, "settings")).toEqual({ all, color: "blue", token: null });
      },
      { search: "?callId=ses_1" },
    ));

  it("follows the theme", () =>
    app.onPage(async (page) => {
      await page.emulateMedia({ colorScheme: "light" });
      await eventually(page, "theme").toBe("light");
      await page.emulateMedia({ colorScheme: "dark" });
      await eventually(page, "theme").toBe("dark");
    }));

  it("shows the records of its query as they are created, changed and removed", () =>
    app.onPage(async (page) => {
      await eventually(page, "notes").toEqual([[], false, null]);
      await press(page, "Create");
      await eventually(page, "said").toEqual({ text: "one", state: "open" });
      await eventually(page, "notes").toEqual([[{ text: "one", state: "open" }], false, null]);
      await press(page, "Update");
      await eventually(page, "notes").toEqual([[{ text: "two", state: "open" }], false, null]);
      await press(page, "Remove");
      await eventually(page, "said").toEqual({ deleted: true });
      await eventually(page, "notes").toEqual([[], false, null]);
    }));

  it("lists agents and calls, keeps the calls when a reload fails, and places a call without variables", () =>
    app.onPage(
      async (page) => {
        const calls = [{ id: "ses_1", to_number: "+15550001111" }];
        await eventually(page, "agents").toEqual([[{ id: "agt_1", name: "Ada" }], false, null]);
        await eventually(page, "calls").toEqual([calls, false, null]);
        await page.evaluate("window.fails = true");
        await press(page, "Reload");
        await eventually(page, "calls").toEqual([calls, false, "unavailable"]);
        await page.evaluate("window.fails = false");
        await press(page, "Reload");
        await eventually(page, "calls").toEqual([calls, false, null]);
        await press(page, "Call");
        await eventually(page, "said").toEqual({ all: ["agt_1", "+15550001111"] });
      },
      { script: WITH_CALLS },
    ));

  it("reads nothing on an older dashboard, whose missing actions say that it has to be updated", () =>
    app.onPage(
      async (page) => {
        for (const read of ["agents", "calls", "notes"])
          await eventually(page, read).toEqual([[], false, null]);
        expect(await shown(page, "settings")).toEqual({ all: {}, token: null });
        expect(await shown(page, "theme")).toBe("light");
        const actions = { Create: "data.create", Call: "calls.initiate", Store: "files.put" };
        for (const [action, method] of Object.entries(actions)) {
          await press(page, action);
          const message = `${method} is unavailable on this dashboard. Update the dashboard to use it.`;
          await eventually(page, "said").toEqual({ code: "unavailable", message });
        }
      },
      { script: OLDER },
    ));
});
