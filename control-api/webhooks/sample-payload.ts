import { EVENT_CATALOG, type EventName } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { plainEnglish } from "@parley/shared/contracts/plain-english.ts";
import { problemsOf, sentenceOf } from "@parley/shared/contracts/problems.ts";
import { strictly } from "@parley/shared/contracts/strictly.ts";
import { AppError } from "@parley/shared/errors.ts";

/** Values by field path, such as `endReason` or `transcript.0.text`. */
export type Overrides = Readonly<Record<string, unknown>>;

/** Fields that a tester cannot override. */
const FIXED = ["event", "orgId"];

/**
 * An event's sample as if it had just happened, with some values replaced. A number or boolean given for a text becomes
 * its text. Throws `AppError` bad_request for a value the event could not have.
 */
export function samplePayload(
  event: EventName,
  { orgId, occurredAt, set = {} }: { orgId: string; occurredAt: string; set?: Overrides | undefined },
): Record<string, unknown> {
  const fixed = FIXED.find((field) => Object.hasOwn(set, field));
  if (fixed !== undefined) throw new AppError("bad_request", `The field ${fixed} cannot be set.`);
  const sample = { ...EVENT_CATALOG[event].sample, orgId, occurredAt };
  const schema = strictly(EVENT_CATALOG[event].schema);
  const given = schema.safeParse(withValues(sample, set));
  if (given.success) return given.data;
  const refused = new Set(given.error.issues.map(({ path }) => path.join(".")));
  const asText = Object.entries(set).map(([path, value]) => [
    path,
    refused.has(path) ? textOf(value) : value,
  ]);
  const again = schema.safeParse(withValues(sample, Object.fromEntries(asText)), { error: plainEnglish });
  if (again.success) return again.data;
  const [problem] = problemsOf(again.error.issues, "body");
  throw new AppError(
    "bad_request",
    `${event} cannot be sent: ${problem ? sentenceOf(problem) : "it is invalid"}.`,
  );
}

function withValues(sample: object, set: Overrides): unknown {
  return Object.entries(set).reduce<unknown>(
    (payload, [path, value]) => put(payload, path.split("."), value),
    sample,
  );
}

/** Returns `node` with the value at that path, creating missing parts. */
function put(node: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(node)) {
    const index = Number(key);
    return node.map((item: unknown, at) => (at === index ? put(item, rest, value) : item));
  }
  const object = isObject(node) ? node : {};
  return { ...object, [key]: put(Object.hasOwn(object, key) ? object[key] : undefined, rest, value) };
}

function textOf(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}
