import { newId } from "@parley/shared/ids.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { heading, signIn, TestDashboard } from "../testkit/dashboard.ts";
import { isFine } from "../testkit/fine-page.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import { TestPerson } from "../testkit/person.ts";
import { TestReceiver } from "../testkit/receiver.ts";

const WAIT = { timeout: 90_000 };

describe.runIf(needs("chromium"))("the pages for webhooks in a browser", () => {
  let dashboard: TestDashboard;

  beforeAll(async () => {
    dashboard = await TestDashboard.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  });
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
    const page = await dashboard.openAs(owner.email, "/webhooks");
    await heading(page, "Webhooks");
    await page.getByText("npx parley listen --forward http://localhost:3000/hook").waitFor();
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await dialogOf(page).getByText("No public URL yet?").click();
    await dialogOf(page).getByText("npx parley listen").waitFor();
    await dialogOf(page).getByLabel("URL", { exact: true }).fill(receiver.url);
    await dialogOf(page).getByLabel("Selected events").check();
    await dialogOf(page).getByRole("checkbox", { name: "billing.invoice_issued" }).waitFor();
    await dialogOf(page).getByRole("button", { name: "Add endpoint" }).click();
    await dialogOf(page).getByRole("alert").getByText("Select at least one event").waitFor();
    await dialogOf(page).getByRole("checkbox", { name: "call.ended" }).check();
    await dialogOf(page).getByRole("button", { name: "Add endpoint" }).click();
    const secret = (await dialogOf(page).locator(".secret code").textContent()) ?? "";
    expect(secret.length).toBeGreaterThan(20);
    await dialogOf(page).getByRole("link", { name: "Send a test event" }).click();
    await heading(page, receiver.url);
    expect(await page.content()).not.toContain(secret);
    await page
      .getByRole("region", { name: "Deliveries" })
      .getByRole("button", { name: "Send test event" })
      .click();
    await dialogOf(page).getByRole("button", { name: "Send" }).click();
    await page.getByRole("status").getByText("Test call.ended sent").waitFor();
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
    await page.getByLabel("Call or delivery ID").fill(String(first?.headers["x-service-delivery"]));
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("cell", { name: "Delivered" }).count(), WAIT).toBe(1);
    await page.getByLabel("Call or delivery ID").fill("ses_none");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => page.getByRole("cell", { name: "Delivered" }).count(), WAIT).toBe(2);
  });

  test("what failed is replayed once, and what is being retried is tried now", async () => {
    const receiver = await receiverAnswering(500);
    const owner = await TestPerson.register(dashboard.api);
    const id = await endpointWithSample(owner, receiver);
    const page = await dashboard.openAs(owner.email, `/webhooks/${id}`);
    await page.getByRole("cell", { name: "Retrying" }).waitFor(WAIT);
    receiver.answer = (response) => void response.writeHead(200).end();
    await page.getByRole("button", { name: "call.ended" }).click();
    await dialogOf(page).getByRole("button", { name: "Retry now" }).click();
    await dialogOf(page).getByText("Status 200").waitFor(WAIT);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("cell", { name: "Delivered" }).count(), WAIT).toBe(1);
    // As if something that happened had been given up.
    const { db } = dashboard.api.database;
    const lost = db.updateTable("webhook_deliveries").set({ status: "dead", origin: "event" });
    await lost.where("endpoint_id", "=", id).execute();
    const replay = async (): Promise<void> => {
      await page.getByRole("button", { name: "Replay events" }).click();
      await dialogOf(page).getByRole("button", { name: "Replay" }).click();
    };
    // It may have been retried by itself, too.
    const before = receiver.received.length;
    await replay();
    await page.getByRole("status").getByText("Replaying 1 delivery.").waitFor();
    await expect.poll(() => receiver.received.length, WAIT).toBe(before + 1);
    await page.getByRole("cell", { name: "Delivered" }).waitFor(WAIT);
    await replay();
    await page.getByRole("status").getByText("No failed deliveries since then.").waitFor();
  });

  test("deliveries beyond the first page are reached, and an endpoint's agent is chosen by name", async () => {
    const receiver = await receiverAnswering(200);
    const owner = await TestPerson.register(dashboard.api);
    const id = await endpointWithSample(owner, receiver);
    const { db } = dashboard.api.database;
    const sample = await db
      .selectFrom("webhook_deliveries")
      .selectAll()
      .where("endpoint_id", "=", id)
      .executeTakeFirstOrThrow();
    const older = Array.from({ length: 60 }, (_, index) => ({
      ...sample,
      id: newId("dlv"),
      created_at: new Date(sample.created_at.getTime() - 1_000 * (index + 1)),
    }));
    await db.insertInto("webhook_deliveries").values(older).execute();
    const made = await owner.call("POST", "/api/agents", {
      name: "Front desk",
      brain: { url: "https://93.184.215.14/brain" },
    });
    expect(made.status, made.text).toBe(201);
    const page = await dashboard.openAs(owner.email, `/webhooks/${id}`);
    const rows = () =>
      page.getByRole("region", { name: "List of deliveries" }).getByRole("rowheader").count();
    await expect.poll(rows, WAIT).toBe(50);
    await page.getByRole("button", { name: "Older" }).click();
    await expect.poll(rows, WAIT).toBe(11);
    await page.getByRole("button", { name: "Newest" }).click();
    await expect.poll(rows, WAIT).toBe(50);
    await page.goto(dashboard.address("/webhooks"));
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await dialogOf(page).getByLabel("Agent").selectOption({ label: "Front desk" });
    await dialogOf(page).getByLabel("URL", { exact: true }).fill(receiver.url);
    await dialogOf(page).getByRole("button", { name: "Add endpoint" }).click();
    await dialogOf(page).getByRole("button", { name: "I’ve saved it" }).click();
    await page.getByText("All events from Front desk").waitFor();
  });

  test("an endpoint that said it is gone is announced on every page, and re-created", async () => {
    const receiver = await receiverAnswering(410);
    const owner = await TestPerson.register(dashboard.api);
    await endpointWithSample(owner, receiver);
    const page = await dashboard.openAs(owner.email, "/members");
    await heading(page, "Members");
    await page.getByRole("link", { name: "Webhooks 1 needs attention" }).click();
    await page.getByRole("region", { name: "Disabled endpoint" }).waitFor();
    await page.getByRole("link", { name: "View failed deliveries" }).click();
    await heading(page, receiver.url);
    await page.getByText("This endpoint is disabled").waitFor();
    expect(await page.getByRole("button", { name: "Send test event" }).count()).toBe(0);
    await page.getByRole("button", { name: "Re-create" }).click();
    expect(await dialogOf(page).getByLabel("URL", { exact: true }).inputValue()).toBe(receiver.url);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Delete" }).click();
    await dialogOf(page).getByRole("button", { name: "Delete" }).click();
    await heading(page, "Webhooks");
    await page.getByText("Get notified about call events").waitFor();
    await page.getByText("needs attention").waitFor({ state: "detached" });
  });

  test("a viewer reads deliveries and is offered nothing that changes something", async () => {
    const receiver = await receiverAnswering(200);
    const owner = await TestPerson.register(dashboard.api);
    const id = await endpointWithSample(owner, receiver);
    const viewer = await memberOnly(dashboard.api, owner.orgId, "viewer");
    const page = await dashboard.openAs(viewer.email, "/webhooks");
    await page.getByText("Your role is viewer.").waitFor();
    expect(await page.getByRole("button", { name: /add endpoint/i }).count()).toBe(0);
    await page.goto(dashboard.address(`/webhooks/${id}`));
    await page.getByRole("button", { name: "call.ended" }).click();
    await dialogOf(page).getByText("Status 200").waitFor();
    expect(
      await page.getByRole("button", { name: /deliver again|retry|send|replay|delete|re-create/i }).count(),
    ).toBe(0);
  });

  test.for([1280, 390])("axe finds nothing in light and in dark, and all fits: %i wide", async (width) => {
    const [well, gone] = [await receiverAnswering(200), await receiverAnswering(410)];
    const owner = await TestPerson.register(dashboard.api);
    const page = await dashboard.open("/webhooks", { width });
    await signIn(page, owner.email);
    await page.getByText("Get notified about call events").waitFor();
    await isFine(page, "the empty list");
    const id = await endpointWithSample(owner, well);
    await endpointWithSample(owner, gone);
    await page.reload();
    await page.getByRole("region", { name: "Disabled endpoint" }).waitFor();
    await page.getByRole("region", { name: "Endpoints, with figures of the last day" }).waitFor();
    await isFine(page, "the list");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await dialogOf(page).getByLabel("Selected events").check();
    await isFine(page, "the dialog to register");
    await page.keyboard.press("Escape");
    await page.goto(dashboard.address(`/webhooks/${id}`));
    await page.getByRole("cell", { name: "Delivered" }).waitFor();
    await isFine(page, "the endpoint");
    await page.getByRole("button", { name: "call.ended" }).click();
    await dialogOf(page).getByText("Status 200").waitFor();
    await isFine(page, "a delivery");
  });
});
