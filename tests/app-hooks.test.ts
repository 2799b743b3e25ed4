import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppInDev } from "../testkit/app-in-dev.ts";
import { needs } from "../testkit/needs.ts";

/** Two widgets of one page, under React's strict mode, which runs each effect twice. */
const WIDGETS = `import { mount, useAgents, useCall, useCallHistory, useObjects } from "platform/react";
import { useRef, useState } from "react";

function Widget({ name, type, query }) {
  const { data, loading, error, create } = useObjects(type, query);
  const shown = error ? "error " + error.code : loading ? "loading" : data.map((record) => record.data.text).join("+") || "none";
  return <p>{name}: {shown} <button onClick={() => create({ text: name, at: "here" })}>Add by {name}</button></p>;
}

function Reads() {
  const [renders, render] = useState(0);
  const now = [useCall(), useAgents().reload, useCallHistory({ number: "1" }).reload];
  const first = useRef(now);
  const same = now.every((one, at) => one === first.current[at]);
  return <button onClick={() => render(renders + 1)}>Rendered {renders}, {same ? "stable" : "changed"}</button>;
}

function App() {
  const [isShown, show] = useState(true);
  const [type, choose] = useState("note");
  return (
    <>
      <Widget name="first" type={type} query={{ at: "here" }} />
      {isShown && <Widget name="second" type="note" />}
      <Reads />
      <button onClick={() => show(!isShown)}>Toggle</button>
      <button onClick={() => choose("task")}>Tasks</button>
      <button onClick={() => choose("secret")}>Secrets</button>
    </>
  );
}

mount(App);
`;

/** Counts the open subscriptions of the mock's store, and holds its lists back while \`held\` is set. */
const WATCH = `
  let mock;
  window.open_subscriptions = 0;
  Object.defineProperty(window, "parleyMock", {
    get: () => mock,
    set: (given) => {
      mock = given;
      const { store } = given;
      const subscribe = store.subscribe.bind(store);
      store.subscribe = (...all) => {
        const stop = subscribe(...all);
        window.open_subscriptions += 1;
        return () => { window.open_subscriptions -= 1; stop(); };
      };
      const list = store.list.bind(store);
      store.list = async (...all) => { await window.held?.promise; return list(...all); };
    },
  });`;

describe.runIf(needs("chromium"))("the hooks of apps", () => {
  let app: AppInDev;
  beforeAll(async () => {
    const scopes = ["objects:note", "objects:task", "agents:read", "calls:read"];
    app = await AppInDev.start({ manifest: { scopes }, source: WIDGETS });
  });
  afterAll(() => app.close());

  const onPage = (work: (page: Page) => Promise<void>) => app.onPage(work, { script: WATCH });
  const subscriptions = (page: Page) => page.evaluate("window.open_subscriptions");
  const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

  it("show two widgets what either does, with one subscription each, which end with the widget", () =>
    onPage(async (page) => {
      await page.getByText("second: none").waitFor();
      await expect.poll(() => subscriptions(page)).toBe(2);
      await press(page, "Add by first");
      await page.getByText("first: first").waitFor();
      await page.getByText("second: first").waitFor();
      await press(page, "Add by second");
      await page.getByText("first: second+first").waitFor();
      await press(page, "Toggle");
      await expect.poll(() => subscriptions(page)).toBe(1);
      await press(page, "Add by first");
      await page.getByText("first: first+second+first").waitFor();
    }));

  it("leave nothing behind of a widget that goes while it asks, however often", () =>
    onPage(async (page) => {
      await page.getByText("second: none").waitFor();
      await page.evaluate("window.held = Promise.withResolvers(); undefined");
      for (let time = 0; time < 7; time++)
        await page.getByRole("button", { name: "Toggle" }).evaluate((button: HTMLElement) => button.click());
      await page.evaluate("window.held.resolve()");
      await expect.poll(() => subscriptions(page)).toBe(1);
      await press(page, "Toggle");
      await page.getByText("second: none").waitFor();
      await expect.poll(() => subscriptions(page)).toBe(2);
    }));

  it("never show one type's records as another's, and say why a type cannot be read", () =>
    onPage(async (page) => {
      await press(page, "Add by first");
      await page.getByText("first: first").waitFor();
      await page.evaluate("window.held = Promise.withResolvers(); undefined");
      await press(page, "Tasks");
      await page.getByText("first: loading").waitFor();
      await page.evaluate("window.held.resolve()");
      await page.getByText("first: none").waitFor();
      await press(page, "Secrets");
      await page.getByText("first: error scope_missing").waitFor();
      await expect.poll(() => subscriptions(page)).toBe(1);
    }));

  it("give actions that stay the same from render to render", () =>
    onPage(async (page) => {
      await press(page, "Rendered 0, stable");
      await press(page, "Rendered 1, stable");
      await page.getByText("Rendered 2, stable").waitFor();
    }));
});
