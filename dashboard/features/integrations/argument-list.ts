/** One argument of a tool: the parts of its JSON Schema that a form needs. */
export interface Argument {
  readonly name: string;
  /** `json` covers types without a dedicated field. */
  readonly type: "text" | "number" | "yes or no" | "choice" | "json";
  readonly description: string;
  readonly isRequired: boolean;
  /** Choices only. */
  readonly options: readonly string[];
}

type Schema = Readonly<Record<string, unknown>>;

/** The arguments a JSON Schema describes; undescribed ones are left out. */
export function argumentsOf(schema: Schema): Argument[] {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(asSchema(schema.properties)).map(([name, value]) => {
    const property = asSchema(value);
    const options = Array.isArray(property.enum)
      ? property.enum.filter((one) => typeof one === "string")
      : [];
    return {
      name,
      type: typeOf(property, options),
      description: typeof property.description === "string" ? property.description : "",
      isRequired: required.includes(name),
      options,
    };
  });
}

function typeOf({ type, enum: choices }: Schema, options: readonly string[]): Argument["type"] {
  if (Array.isArray(choices)) return options.length === choices.length ? "choice" : "json";
  if (type === "string") return "text";
  if (type === "number" || type === "integer") return "number";
  return type === "boolean" ? "yes or no" : "json";
}

function asSchema(value: unknown): Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
