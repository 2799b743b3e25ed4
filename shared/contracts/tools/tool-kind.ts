import { z } from "zod";

/** What a model may call: at most 64 letters, digits, `_` and `-`, as OpenAI has it. */
export const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, _ and -");
export const toolDescription = z.string().min(1).max(4_000);

/** JSON Schema of a tool's arguments, given to the model as it is. */
export type ToolParameters = Readonly<Record<string, unknown>>;

/** Where a conversation takes place; in text nothing can be hung up, transferred or keyed. */
export const MEDIA = ["voice", "text"] as const;
export type Medium = (typeof MEDIA)[number];

/** What every tool's settings have. */
type ToolShape = { kind: z.ZodLiteral<string>; name: z.ZodType<string>; [field: string]: z.ZodType };

/**
 * One kind of tool that an agent may have. All that is known of a kind is read from here: what its settings are, what the
 * model is told, in which conversations it works, and where it runs.
 */
export interface ToolKind<S extends z.ZodObject<ToolShape> = z.ZodObject<ToolShape>> {
  readonly settings: S;
  readonly media: readonly Medium[];
  /**
   * How the model's arguments reach what runs: as a control event that the call carries out, in a request of the process
   * that asks the model, or over the bus to the control API, which has the credentials.
   */
  readonly reach: "control" | "request" | "bus";
  /** What the model is told of its arguments; of a kind that runs in the control API, the control API knows. */
  readonly parameters?: (tool: z.output<S>) => ToolParameters;
}

/** Declares a kind. Its settings' type is that of its schema. */
export function toolKind<S extends z.ZodObject<ToolShape>>(kind: ToolKind<S>): ToolKind<S> {
  return kind;
}

/** Parameters that are an object of these and nothing else. */
export function objectOf(properties: object, required: readonly string[]): ToolParameters {
  return { type: "object", properties, required, additionalProperties: false };
}
