/** The subset of JSON Schema that zod writes for payloads. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string | undefined;
  /** Meanings of its values (shared/contracts/event-catalog/fields.ts). */
  readonly "x-values"?: { readonly isOpen: boolean; readonly meanings: Readonly<Record<string, string>> };
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

/** The literal start of a template's pattern, as in `confirmation_…`. */
const LITERAL_START = /^\^([a-z_]+)[[(]/;

/** The TypeScript type a schema accepts, on as many lines as needed. Throws for an unknown type. */
export function typeOfSchema(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOfSchema).join(" | ");
  if (schema.type === undefined) return "unknown";
  const start = LITERAL_START.exec(schema.pattern ?? "")?.[1];
  if (start !== undefined) return `\`${start}\${string}\``;
  const types = [schema.type].flat();
  return types.map((type) => typeNamed(type, schema)).join(" | ");
}

function typeNamed(type: string, schema: JsonSchema): string {
  const { items, properties, required = [], additionalProperties } = schema;
  if (type === "array") return `(${typeOfSchema(items ?? {})})[]`;
  if (type === "object" && properties) {
    const fields = Object.entries(properties).map(([name, field]) => {
      const isRequired = required.includes(name);
      const doc = field.description === undefined ? "" : `/** ${field.description} */\n`;
      return `${doc}${JSON.stringify(name)}${isRequired ? "" : "?"}: ${typeOfSchema(field)}${isRequired ? "" : " | undefined"};`;
    });
    return `{\n${fields.join("\n")}\n}`;
  }
  if (type === "object" && typeof additionalProperties === "object")
    return `Record<string, ${typeOfSchema(additionalProperties)}>`;
  const primitive = PRIMITIVES[type];
  if (primitive === undefined) throw new Error(`no type is known for ${JSON.stringify(schema)}`);
  return primitive;
}
