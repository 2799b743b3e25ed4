import type { WebhookEvents } from "@parley/platform/webhooks/events.ts";
import type { EventName, EventPayload } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { expect, expectTypeOf, test } from "vitest";
import { eventTypes, withCatalog } from "../../scripts/update-webhooks.ts";
import { readText } from "./compose-file.ts";

type Payloads = { [Event in EventName]: EventPayload<Event> };

test("docs/webhooks.md has the events as they are (npx node scripts/update-webhooks.ts)", () => {
  const page = readText("docs/webhooks.md");
  expect(withCatalog(page)).toBe(page);
  expect(page).toContain("### `call.ended`");
});

test("platform/webhooks/events.ts has the types of the payloads as they are (npx node scripts/update-webhooks.ts)", () => {
  expect(eventTypes()).toBe(readText("platform/webhooks/events.ts"));
  // Read by the compiler, not when the test runs.
  expectTypeOf<WebhookEvents>().toExtend<Payloads>();
  expectTypeOf<keyof WebhookEvents>().toEqualTypeOf<EventName>();
});
