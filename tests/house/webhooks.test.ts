import { globSync } from "node:fs";
import type { WebhookEvents } from "@parley/platform/webhooks/events.ts";
import {
  EVENT_CATALOG,
  EVENT_NAMES,
  type EventName,
  type EventPayload,
  isRaised,
} from "@parley/shared/contracts/event-catalog/catalog.ts";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { fieldsOf, propertiesOf } from "../../scripts/fields-of-schema.ts";
import type { JsonSchema } from "../../scripts/type-of-schema.ts";
import { eventTypes, withCatalog } from "../../scripts/update-webhooks.ts";
import { readText } from "./compose-file.ts";

type Payloads = { [Event in EventName]: EventPayload<Event> };

test("docs/webhooks.md has the events as they are (npx node scripts/update-webhooks.ts)", () => {
  const page = readText("docs/webhooks.md");
  expect(withCatalog(page)).toBe(page);
  expect(page).toContain("### `call.ended`");
});

test("every field of every event says what it is", () => {
  for (const name of EVENT_NAMES) {
    const fields = fieldsOf(z.toJSONSchema(EVENT_CATALOG[name].schema) as JsonSchema);
    const silent = fields.filter(({ path, meaning }) => path !== "event" && meaning === "");
    expect(silent, name).toEqual([]);
  }
});

test("each value that a schema lists is explained, and no other", () => {
  for (const name of EVENT_NAMES) {
    const { properties } = propertiesOf(z.toJSONSchema(EVENT_CATALOG[name].schema) as JsonSchema);
    for (const [field, { "x-values": values, ...schema }] of Object.entries(properties)) {
      const listed = [schema, ...(schema.anyOf ?? [])].flatMap((each) => each.enum ?? []);
      if (listed.length === 0 || field === "digit" || values?.isOpen) continue;
      expect(Object.keys(values?.meanings ?? {}).toSorted(), `${name} ${field}`).toEqual(listed.toSorted());
    }
  }
});

test("the events that are said to be raised are those that the sources raise", () => {
  const sources = globSync("control-api/{webhooks,billing,messaging}/**/*.ts").filter(
    (name) => !name.endsWith(".test.ts"),
  );
  const texts = sources.map((name) => readText(name));
  // A field of a payload or of a table of states, or what a function is told to tell.
  const ways = (event: string) => [`event: "${event}"`, `tells: "${event}"`, `(trx, "${event}"`];
  const raised = EVENT_NAMES.filter((event) =>
    texts.some((text) => ways(event).some((way) => text.includes(way))),
  );
  expect(raised).toEqual(EVENT_NAMES.filter(isRaised));
});

test("platform/webhooks/events.ts has the types of the payloads as they are (npx node scripts/update-webhooks.ts)", () => {
  expect(eventTypes()).toBe(readText("platform/webhooks/events.ts"));
  // Read by the compiler, not when the test runs.
  expectTypeOf<WebhookEvents>().toExtend<Payloads>();
  expectTypeOf<keyof WebhookEvents>().toEqualTypeOf<EventName>();
});
