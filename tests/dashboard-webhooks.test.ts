import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { accessibilityFaults } from "../dashboard/testing/app-browser.ts";
import { heading, overflowOf, signIn, TestDashboard } from "./support/dashboard.ts";
import { memberOnly } from "./support/members.ts";
import { needs } from "./support/needs.ts";
import { TestPerson } from "./support/person.ts";
import { TestReceiver } from "./support/receiver.ts";

const WAIT = { timeout: 15_000 };

describe.runIf(needs("chromium"))("the pages for webhooks in a browser", { timeout: 60_000 }, () => {
  let dashboard: TestDashboard;

  beforeAll(async () => {
    dashboard = await TestDashboard.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  }, 60_000);
  afterAll(() => dashboard.close());

  async function receiverAnswering(answer: Parameters<typeof TestReceiver.answering>[0]) {
    const receiver = await TestReceiver.answering(answer);
    onTestFinished(() => receiver.close());
    return receiver;
  }

  /** An endpoint of the owner's organization to which a sample was sent. */
  async function endpointWithSample(owner: TestPerson, receiver: TestReceiver): Promise<string> {
    const path = `/api/orgs/${owner.orgId}/webhooks`;
    const { id } = (await owner.call("POST", path, { url: receiver.url })).body.data as { id: string };
    await owner.call("POST", `${path}/${id}/test`, { event: "call.ended" });
    await expect
      .poll(async () => {
        const { body } = await owner.call("GET", `${path}/${id}/deliveries`);
        const { deliveries } = body.data as { deliveries: { attempts: number }[] };
        return deliveries[0]?.attempts;
      }, WAIT)
      .toBe(1);
    return id;
  }

  const dialogOf = (page: Page) => page.getByRole("dialog");

  test("an endpoint is registered, tested, and its delivery is read and delivered again", async () => {
    const receiver = await receiverAnswering((response) => {
      response.writeHead(202, { "content-type": "application/json" }).end('{"kept":true}');
    });
    const owner = await TestPerson.register(dashboard.api);
    const page = await dashboard.openAs(owner.email, "/settings/webhooks");
    await heading(page, "Webhooks");
    await page.getByRole("button", { name: "Register an endpoint" }).click();
    await dialogOf(page).getByLabel("URL").fill(receiver.url);
    await dialogOf(page).getByLabel("Only these").check();
    await dialogOf(page).getByRole("button", { name: "Register" }).click();
    await dialogOf(page).getByRole("alert").getByText("Choose at least one event").waitFor();
    await dialogOf(page).getByRole("checkbox", { name: "call.ended" }).check();
    await dialogOf(page).getByRole("button", { name: "Register" }).click();
    const secret = (await dialogOf(page).locator(".secret code").textContent()) ?? "";
    expect(secret.length).toBeGreaterThan(20);
    await dialogOf(page).getByRole("link", { name: "Go on to test it" }).click();
    await heading(page, receiver.url);
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("button", { name: "Send a first test event" }).click();
    await dialogOf(page).getByRole("button", { name: "Send it" }).click();
    await page.getByRole("status").getByText("A sample of call.ended is on its way").waitFor();
    await page.getByRole("cell", { name: "Delivered" }).waitFor(WAIT);
    expect(receiver.received).toHaveLength(1);
    await page.getByRole("button", { name: "call.ended" }).click();
    const dialog = dialogOf(page);
    await dialog.getByText("Status 202").waitFor();
    await dialog.getByText('"kept": true').waitFor();
    const [first] = receiver.received;
    await dialog.getByText(`"event": "call.ended"`).waitFor();
    await dialog.getByText(String(first?.headers["x-service-delivery"])).first().waitFor();
    await dialog.getByRole("button", { name: "Deliver again" }).click();
    await expect.poll(() => receiver.received.length, WAIT).toBe(2);
    const [, second] = receiver.received;
    await dialog.getByText(String(second?.headers["x-service-delivery"])).first().waitFor();
    await dialog.getByText("Status 202").waitFor(WAIT);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => page.getByRole("cell", { name: "Delivered" }).count(), WAIT).toBe(2);
  });

  test("an endpoint that said it is gone is announced on every page, and registered anew", async () => {
    const receiver = await receiverAnswering(410);
    const owner = await TestPerson.register(dashboard.api);
    await endpointWithSample(owner, receiver);
    const page = await dashboard.openAs(owner.email, "/settings/members");
    await heading(page, "Members");
    await page.getByRole("link", { name: "Webhooks 1 needs attention" }).click();
    await page.getByRole("region", { name: "A disabled endpoint" }).waitFor();
    await page.getByRole("link", { name: "See what it missed" }).click();
    await heading(page, receiver.url);
    await page.getByText("This endpoint is disabled and gets nothing more").waitFor();
    expect(await page.getByRole("button", { name: "Send a test event" }).count()).toBe(0);
    await page.getByRole("button", { name: "Register anew" }).click();
    expect(await dialogOf(page).getByLabel("URL").inputValue()).toBe(receiver.url);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Delete" }).click();
    await dialogOf(page).getByRole("button", { name: "Delete" }).click();
    await heading(page, "Webhooks");
    await page.getByText("Be told of calls as they happen").waitFor();
    expect(await page.getByText("needs attention").count()).toBe(0);
  });

  test("a viewer reads deliveries and is offered nothing that changes something", async () => {
    const receiver = await receiverAnswering(200);
    const owner = await TestPerson.register(dashboard.api);
    const id = await endpointWithSample(owner, receiver);
    const viewer = await memberOnly(dashboard.api, owner.orgId, "viewer");
    const page = await dashboard.openAs(viewer.email, "/settings/webhooks");
    await page.getByText("Your role here is viewer.").waitFor();
    expect(await page.getByRole("button", { name: /register/i }).count()).toBe(0);
    await page.goto(dashboard.address(`/settings/webhooks/${id}`));
    await page.getByRole("button", { name: "call.ended" }).click();
    await dialogOf(page).getByText("Status 200").waitFor();
    expect(await page.getByRole("button", { name: /deliver again|send|delete|register/i }).count()).toBe(0);
  });

  test.for([
    { dark: false, width: 1280 },
    { dark: true, width: 1280 },
    { dark: false, width: 390 },
    { dark: true, width: 390 },
  ])("axe finds nothing, and all fits: dark $dark, $width wide", async (look) => {
    const [well, gone] = [await receiverAnswering(200), await receiverAnswering(410)];
    const owner = await TestPerson.register(dashboard.api);
    const page = await dashboard.open("/settings/webhooks", look);
    const isFine = async (what: string) => {
      expect(await accessibilityFaults(page), what).toEqual([]);
      expect(await overflowOf(page), `${what} is wider than the screen`).toBe(0);
    };
    await signIn(page, owner.email);
    await page.getByText("Be told of calls as they happen").waitFor();
    await isFine("the empty list");
    const id = await endpointWithSample(owner, well);
    await endpointWithSample(owner, gone);
    await page.reload();
    await page.getByRole("region", { name: "A disabled endpoint" }).waitFor();
    await page.getByRole("list", { name: "Endpoints, with figures of the last day" }).waitFor();
    await isFine("the list");
    await page.getByRole("button", { name: "Register an endpoint" }).click();
    await dialogOf(page).getByLabel("Only these").check();
    await isFine("the dialog to register");
    await page.keyboard.press("Escape");
    await page.goto(dashboard.address(`/settings/webhooks/${id}`));
    await page.getByRole("cell", { name: "Delivered" }).waitFor();
    await isFine("the endpoint");
    await page.getByRole("button", { name: "call.ended" }).click();
    await dialogOf(page).getByText("Status 200").waitFor();
    await isFine("a delivery");
  });
});
