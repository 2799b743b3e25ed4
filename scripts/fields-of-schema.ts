import type { JsonSchema } from "./type-of-schema.ts";

/** A field as documentation shows it. */
export interface FieldRow {
  /** Path from the payload down: `recording.url`, `transcript[].text`. */
  readonly path: string;
  readonly type: string;
  readonly meaning: string;
  readonly values: JsonSchema["x-values"];
}

type Properties = Readonly<Record<string, JsonSchema>>;

const FORMATS: Readonly<Record<string, string>> = { "date-time": "time", date: "day", uuid: "uuid" };

/** Properties of an object or of all its variants; those only some variants have are optional. */
export function propertiesOf(schema: JsonSchema): { properties: Properties; required: readonly string[] } {
  const variants = schema.anyOf ?? schema.oneOf;
  if (!variants) return { properties: schema.properties ?? {}, required: schema.required ?? [] };
  const all = variants.map(propertiesOf);
  const names = new Set(all.flatMap(({ properties }) => Object.keys(properties)));
  const merged = [...names].map((name): [string, JsonSchema] => {
    const given = all.flatMap(({ properties }) => properties[name] ?? []);
    const [first] = given;
    const isSame = given.every((each) => JSON.stringify(each) === JSON.stringify(first));
    return [name, isSame || !first ? (first ?? {}) : { ...first, const: undefined, anyOf: given }];
  });
  return {
    properties: Object.fromEntries(merged),
    required: [...names].filter((name) => all.every(({ required }) => required.includes(name))),
  };
}

/** All fields of an object; nested objects' fields follow their parent. */
export function fieldsOf(schema: JsonSchema, prefix = ""): FieldRow[] {
  const { properties, required } = propertiesOf(schema);
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix + name;
    const isOptional = !required.includes(name);
    const row = {
      path,
      type: `${typeText(field)}${isOptional ? ", optional" : ""}`,
      meaning: field.description ?? "",
      values: field["x-values"],
    };
    const inner = innerOf(field);
    return [row, ...(inner ? fieldsOf(inner.schema, `${path}${inner.mark}.`) : [])];
  });
}

/** The nested object that a field is, or is a list of. */
function innerOf(field: JsonSchema): { schema: JsonSchema; mark: string } | undefined {
  if (field.properties) return { schema: field, mark: "" };
  if (field.items?.properties) return { schema: field.items, mark: "[]" };
  return undefined;
}

function typeText(field: JsonSchema): string {
  const choices = field.anyOf ?? field.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(" or ");
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``;
  // A pattern without a format belongs to a template, whose values are described separately.
  if (field.enum) return "string";
  if (field.type === "array")
    return field.items?.type === undefined ? "array" : `array of ${plural(field.items)}`;
  if (field.type === undefined) return "any JSON";
  const format = FORMATS[field.format ?? ""];
  return [field.type].flat().join(" or ") + (format === undefined ? "" : ` (${format})`);
}

function plural(items: JsonSchema): string {
  return `${[items.type].flat().join(" or ")}s`;
}
