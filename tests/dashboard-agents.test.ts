import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults, tabTo } from "../testkit/app-browser.ts";
import { TestBrain } from "../testkit/brain.ts";
import { heading, signIn, TestDashboard } from "../testkit/dashboard.ts";
import { isFine } from "../testkit/fine-page.ts";
import { memberOnly } from "../testkit/members.ts";
import { answering, chat, lookTool, serve } from "../testkit/model-brain.ts";
import { needs } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import type { TestPerson } from "../testkit/person.ts";

const WAIT = { timeout: 90_000 };
const PROMPT = "You are the receptionist.\nAnswer in one sentence.\nSay goodbye.";

describe.runIf(needs("chromium"))("the pages for agents in a browser", () => {
  let dashboard: TestDashboard;
  let brain: TestBrain;
  let organization: TestOrganization;
  let developer: TestPerson;

  beforeAll(async () => {
    dashboard = await TestDashboard.start({ allowPrivateTargets: ["127.0.0.0/8"] });
    brain = await TestBrain.start((turn) => {
      turn.token("Hello, ");
      turn.token("this is Anna.");
      turn.control({ event: "transfer", to: "+12025550199" });
      turn.done();
    });
    await dashboard.api.registerNode();
    organization = await dashboard.api.createOrganization();
    developer = await memberOnly(dashboard.api, organization.orgId, "developer");
  });
  afterAll(async () => {
    await dashboard.close();
    brain.close();
  });

  type Json = Record<string, unknown>;
  /** By the REST API, as somebody else. */
  const byKey = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const options = { key: organization.keys.owner, ...(body === undefined ? {} : { body }) };
    const answer = await dashboard.api.call(method, path, options);
    expect(answer.status, answer.text).toBeLessThan(300);
    return (answer.body.data ?? answer.body) as Json;
  };
  const make = async (settings: Json = {}): Promise<string> => {
    const model = { kind: "model", model: "small", prompt: PROMPT };
    return String((await byKey("POST", "/api/agents", { name: "Berta", brain: model, ...settings })).id);
  };
  const read = (id: string): Promise<Json> => byKey("GET", `/api/agents/${id}`);
  const part = (page: Page, name: string): Promise<void> =>
    page.getByRole("navigation", { name: "Parts of this agent" }).getByRole("link", { name }).click();
  const save = (page: Page): Promise<void> => page.getByRole("button", { name: "Save", exact: true }).click();
  const openAgent = (id: string, at = "brain", who = developer): Promise<Page> =>
    dashboard.openAs(who.email, `/agents/${id}/${at}`);

  test("a first agent is made of an endpoint and asked something", async () => {
    const page = await dashboard.openAs(developer.email, "/agents");
    await heading(page, "Agents");
    await page.getByRole("button", { name: "Create agent" }).click();
    await page.getByLabel("An endpoint of your own").check();
    await page.getByLabel("Address of your endpoint").fill("nowhere");
    await page.getByRole("dialog").getByRole("button", { name: "Create agent" }).click();
    await page.getByText("Address of your endpoint must be a URL.").waitFor(WAIT);
    await page.getByLabel("Name", { exact: true }).fill("First one");
    await page.getByLabel("Address of your endpoint").fill(brain.url);
    await page.getByRole("dialog").getByRole("button", { name: "Create agent" }).click();
    await heading(page, "First one");
    await page.getByLabel("The caller says").fill("Who are you?");
    await page.getByRole("button", { name: "Ask" }).click();
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.getByText("Hello, this is Anna.").waitFor(WAIT);
    await answer.getByText('"to": "+12025550199"').waitFor();
    await expect.poll(() => answer.textContent()).toMatch(/First words after\d+ msAll of it after\d+ ms/);
    expect(brain.queries).toContain("Who are you?");
  });

  test("a model is asked without calling its tools, and with them only when the box is ticked", async () => {
    const seen: string[] = [];
    const url = await serve((_req, res, body) => {
      seen.push(body);
      res.end('{"free":["18:00"]}');
    });
    const calls = [{ name: "look", arguments: '{"day":"today"}' }];
    const wants = { text: "Let me look. ", calls };
    const fake = await chat(answering(wants, wants, { text: "At six." }));
    const tools = [lookTool({ url })];
    const id = await make({
      brain: { kind: "model", model: "m", prompt: PROMPT, url: fake.url, tools, secret: "k" },
    });
    const page = await openAgent(id, "try");
    await page.getByRole("button", { name: "Ask" }).click();
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.getByText("Tools did not run in this test; the answer ends here.").waitFor(WAIT);
    await answer.getByText('"day": "today"').waitFor();
    expect(seen).toEqual([]);
    await page.getByLabel("Run its tools for real").check();
    await page.getByRole("button", { name: "Ask" }).click();
    await answer.getByText("Let me look. At six.").waitFor(WAIT);
    expect(seen).toEqual(['{"day":"today"}']);
  });

  test("a brain that cannot be reached says what to change", async () => {
    const id = await make({ brain: { url: "http://127.0.0.1:9/" } });
    const page = await openAgent(id, "try");
    await page.getByRole("button", { name: "Ask" }).click();
    const alert = page.getByRole("alert");
    await alert.waitFor(WAIT);
    expect(await alert.textContent()).toContain("Look at the address: its host, its port");
  });

  test("agents are found by name, with their brains and numbers", async () => {
    const id = await make({ name: "Needle 100%", apiAccess: false });
    await byKey("POST", "/api/v1/numbers", { number: "+12025550140", agentId: id });
    const page = await dashboard.openAs(developer.email, "/agents");
    await page.getByLabel("Name or ID").fill("100%");
    await page.keyboard.press("Enter");
    const rows = page.getByRole("region", { name: "List of agents" }).locator("tbody tr");
    await expect.poll(() => rows.count(), WAIT).toBe(1);
    await expect.poll(() => rows.first().textContent()).toMatch(/Needle 100%Model small\+1 202 555 0140Off/);
    await page.getByLabel("Name or ID").fill("nothing of the kind");
    await page.keyboard.press("Enter");
    await page.getByText("No agents match").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await rows.nth(1).waitFor();
  });

  test("a list that comes late does not take the place of what was searched for since", async () => {
    await make({ name: "Sought" });
    const page = await dashboard.openAs(developer.email, "/agents");
    // No change reloads the list meanwhile, which would ask for both in one request.
    await page.route(/\/api\/.*\/(changes|incoming-calls)/, (route) => route.abort("internetdisconnected"));
    await page.goto(dashboard.address("/agents?search=nobody"));
    await page.getByText("No agents match").waitFor();
    const release = Promise.withResolvers<void>();
    const isWholeList = (url: URL): boolean =>
      url.pathname === "/api/agents" && !url.searchParams.has("search");
    await page.route(isWholeList, async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByLabel("Name or ID").fill("sought");
    await page.keyboard.press("Enter");
    const rows = page.getByRole("region", { name: "List of agents" }).locator("tbody tr");
    await expect.poll(() => rows.count(), WAIT).toBe(1);
    const late = page.waitForResponse((response) => isWholeList(new URL(response.url())));
    release.resolve();
    await (await late).finished();
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await rows.count()).toBe(1);
  });

  test("settings are changed with the keyboard, and what is wrong is said at its field", async () => {
    const id = await make();
    const page = await openAgent(id, "turns");
    await tabTo(page, "Minimum endpointing delay");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("9000");
    await part(page, "Brain");
    await page.getByLabel("Prompt").fill("You are Berta.");
    await save(page);
    await page.getByText("At most 5,000 ms.").first().waitFor();
    const wait = page.getByLabel("Minimum endpointing delay");
    await expect.poll(() => wait.evaluate((field) => document.activeElement === field)).toBe(true);
    expect(await wait.getAttribute("aria-invalid")).toBe("true");
    expect((await read(id)).version).toBe(1);
    await wait.fill("450");
    await save(page);
    await page.getByText("Saved as version 2.").waitFor();
    expect(await read(id)).toMatchObject({
      brain: { prompt: "You are Berta.", model: "small" },
      turnTaking: { endpointing: { minMs: 450, maxMs: 2_500 } },
    });
  });

  test("tools and variables are added, and a payload that is no JSON says so", async () => {
    const id = await make();
    const page = await openAgent(id);
    await page.getByRole("button", { name: "Add a tool: Transfer the caller" }).click();
    await page.getByLabel("Called").fill("Sales");
    await page.getByLabel(/^Number/).fill("+12025550100");
    await part(page, "Opening");
    await page.getByRole("button", { name: "Add variable" }).click();
    await page.getByLabel(/^Name/).fill("order");
    await page.getByLabel(/^Required/).check();
    await save(page);
    await page.getByText("Saved as version 2.").waitFor();
    const tools = [{ kind: "transfer", destinations: [{ name: "Sales", number: "+12025550100" }] }];
    expect(await read(id)).toMatchObject({
      brain: { tools },
      variables: [{ name: "order", required: true }],
    });
    await part(page, "Brain");
    await page.getByRole("button", { name: "An endpoint of your own" }).click();
    await page.getByLabel("Address").fill("https://me:secret@brain.example/");
    await page.getByLabel("Payload").fill('{ "tenant": 7');
    await page.getByText("This is not JSON yet").waitFor();
    await save(page);
    await page.getByText("Enter a JSON object: { … }.").first().waitFor();
    await page.getByLabel("Payload").fill('{ "tenant": 7 }');
    await save(page);
    // What only the API knows is said at the field, too.
    await page.locator(".field", { hasText: "must not have a user name" }).getByLabel("Address").waitFor();
    await page.getByLabel("Address").fill("https://brain.example/");
    await save(page);
    await page.getByText("Saved as version 3.").waitFor();
    expect((await read(id)).brain).toMatchObject({ kind: "custom", payload: { tenant: 7 } });
  });

  test("a secret goes in, is never shown again, and is replaced or removed", async () => {
    const id = await make({ brain: { url: "https://brain.example/", secret: "first-secret" } });
    const page = await openAgent(id);
    const secret = page.getByLabel("Secret", { exact: true });
    await expect.poll(() => secret.inputValue()).toBe("••••••••••••");
    expect(await page.content()).not.toContain("first-secret");
    await page.getByRole("button", { name: "Replace the secret" }).click();
    await secret.fill("short");
    await save(page);
    await page.getByText("Enter at least 8 characters.").first().waitFor();
    await secret.fill("second-secret");
    await save(page);
    await page.getByText("Saved as version 2.").waitFor();
    await page.getByRole("button", { name: "Remove the secret" }).click();
    await save(page);
    await page.getByText("Saved as version 3.").waitFor();
    expect((await read(id)).brain).toMatchObject({ hasSecret: false });
  });

  test("nobody loses changes by a link or by going back, unless they say so", async () => {
    await make({ name: "Dora" });
    const page = await dashboard.openAs(developer.email, "/agents");
    await page.getByRole("link", { name: "Dora" }).click();
    await page.getByLabel("Prompt").fill("Unsaved");
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("button", { name: "Stay" }).click();
    await part(page, "Speech");
    await page.goBack();
    expect(await page.getByLabel("Prompt").inputValue()).toBe("Unsaved");
    await page.goBack();
    await page.getByText("Leave without saving?").waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByLabel("Prompt").inputValue()).toBe("Unsaved");
    // The browser went back before the page could ask; it returns once the answer is known.
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/agt_/);
    await page.goBack();
    await page.getByRole("button", { name: "Leave without saving" }).click();
    await heading(page, "Agents");
    await page.getByRole("link", { name: "Dora" }).click();
    await expect.poll(() => page.getByLabel("Prompt").inputValue(), WAIT).toBe(PROMPT);
  });

  test("a sample is heard with the settings on the page, before they are saved", async () => {
    const page = await openAgent(await make());
    await part(page, "Speech");
    await page.getByLabel("Speed").fill("2");
    await page.getByLabel("Background sound").selectOption("Café");
    await page.getByLabel("Background volume (dB)").fill("-3");
    const answer = page.waitForResponse(/\/samples\//);
    await page.getByRole("button", { name: "Listen to a sample" }).click();
    const asked = new URL((await answer).url()).searchParams;
    expect(asked.get("speed")).toBe("2");
    expect([asked.get("background"), asked.get("backgroundVolumeDb")]).toEqual(["cafe", "-3"]);
    expect((await answer).headers()["content-type"]).toBe("audio/wav");
  });

  test("what somebody else saved meanwhile is told, and both changes can be kept", async () => {
    const id = await make();
    const page = await openAgent(id);
    await page.getByLabel("Prompt").fill("Mine.");
    await byKey("PATCH", `/api/agents/${id}`, { maxDurationMs: 600_000, brain: { prompt: "Theirs." } });
    await save(page);
    const notice = page.getByRole("alert", { name: "Changed by someone else" });
    await notice.getByText("someone else saved version 2 in the meantime").waitFor();
    expect(await notice.textContent()).toMatch(/Maximum durationVersion 160 minVersion 2, theirs10 min/);
    await notice.getByText("You changed this, too").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect((await read(id)).brain).toMatchObject({ prompt: "Theirs." });
    await page.getByRole("button", { name: "Keep my changes" }).click();
    await save(page);
    await page.getByText("Saved as version 3.").waitFor();
    expect(await read(id)).toMatchObject({ maxDurationMs: 600_000, brain: { prompt: "Mine." } });
  });

  test("versions are compared setting by setting, and an old one is brought back as a new one", async () => {
    const id = await make({ firstResponse: "Hello" });
    await byKey("PATCH", `/api/agents/${id}`, {
      brain: { prompt: PROMPT.replace("one", "two") },
      recording: false,
    });
    await byKey("PATCH", `/api/agents/${id}`, { firstResponse: null });
    const page = await openAgent(id, "versions");
    const rows = page.getByRole("region", { name: "Versions" }).locator("tbody tr");
    await expect.poll(() => rows.count(), WAIT).toBe(3);
    expect(await rows.nth(1).textContent()).toContain("Brain › Prompt, Record calls");
    await page.getByLabel("From version").selectOption("1");
    const compare = page.getByRole("region", { name: "Compare" });
    expect(await compare.locator("del").allTextContents()).toEqual([
      "Answer in one sentence.\n",
      "Hello",
      "Yes",
    ]);
    expect(await compare.locator("ins").allTextContents()).toEqual(["Answer in two sentence.\n", "No"]);
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore version 1" }).click();
    await page.getByText("Restored version 1 as version 4.").waitFor();
    await expect.poll(() => rows.count(), WAIT).toBe(4);
    expect(await read(id)).toMatchObject({
      firstResponse: "Hello",
      recording: true,
      brain: { prompt: PROMPT },
    });
  });

  test("numbers are given and taken, a phone is called, and deleting says which go unanswered", async () => {
    const id = await make({ name: "Clara" });
    await byKey("POST", "/api/v1/numbers", { number: "+12025550150", agentId: organization.agentId });
    const page = await openAgent(id, "access");
    await page.getByRole("button", { name: "Assign to this agent +12025550150" }).click();
    await page.getByText("Then Anna answers it no more.").waitFor();
    await page.getByRole("button", { name: "Reassign to this agent +12025550150" }).click();
    await page.getByText("Clara now answers +1 202 555 0150.").waitFor();
    await page.getByRole("button", { name: "Add number" }).click();
    await page.getByLabel("Number", { exact: true }).fill("+1 (202) 555-0151");
    await page.getByRole("dialog").getByRole("button", { name: "Add number" }).click();
    await page.getByText("Clara now answers +1 202 555 0151.").waitFor();
    await page.getByRole("button", { name: "Call a phone" }).click();
    await page.getByLabel("To", { exact: true }).fill("+12025550101");
    await page.getByRole("button", { name: "Call now" }).click();
    await page.getByText("+1 202 555 0101 is called from +1 202 555 0150.").waitFor(WAIT);
    // There is no gateway behind it to look on from the call's page.
    const call = await page.getByRole("link", { name: "Open call" }).getAttribute("href");
    const { calls } = await byKey("GET", `/api/orgs/${organization.orgId}/calls?agentId=${id}`);
    const [placed] = calls as [{ sessionId: string }];
    expect(call).toBe(`/calls/${placed.sessionId}`);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("Calls to +1 202 555 0150, +1 202 555 0151 will be rejected").waitFor();
    await page.getByRole("button", { name: "Delete Clara" }).click();
    await heading(page, "Agents");
    const { status } = await dashboard.api.call("GET", `/api/agents/${id}`, { key: organization.keys.owner });
    expect(status).toBe(404);
  });

  test("a viewer reads all of it and changes nothing", async () => {
    const id = await make();
    const viewer = await memberOnly(dashboard.api, organization.orgId, "viewer");
    const page = await openAgent(id, "brain", viewer);
    await expect.poll(() => page.getByLabel("Prompt").isDisabled(), WAIT).toBe(true);
    expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
    await part(page, "Versions");
    await page.getByRole("region", { name: "Versions" }).waitFor();
    expect(await page.getByRole("button", { name: /Restore/ }).count()).toBe(0);
  });

  test.for([1280, 390])("axe finds nothing in light and in dark, and all fits: %i wide", async (width) => {
    const tools = [{ kind: "http", name: "find", description: "Finds", url: "https://shop.example/{id}" }];
    const id = await make({ brain: { kind: "model", model: "small", prompt: PROMPT, tools } });
    await byKey("PATCH", `/api/agents/${id}`, { brain: { prompt: "You are Berta.\nSay goodbye." } });
    const page = await dashboard.open("/agents", { width });
    await signIn(page, developer.email);
    await page.getByRole("link", { name: "Berta" }).first().waitFor();
    await isFine(page, "the list");
    await page.goto(dashboard.address(`/agents/${id}`));
    for (const [name, shown] of [
      ["Brain", "Tools"],
      ["Speech", "Recognizer"],
      ["Opening", "Variables"],
      ["Turn-taking", "End of a turn"],
      ["Limits", "Voicemail"],
      ["Numbers & access", "Numbers"],
      ["Try it", "Test this brain"],
      ["Versions", "Compare"],
    ] as const) {
      await part(page, name);
      await page.getByRole("heading", { name: shown, exact: true }).waitFor();
      await isFine(page, name);
    }
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await isFine(page, "restoring");
  });
});
