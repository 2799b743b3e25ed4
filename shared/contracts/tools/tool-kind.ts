import { z } from "zod";

/** A function name for models: at most 64 letters, digits, `_`, and `-`, as OpenAI requires. */
export const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, _ and -");
export const toolDescription = z.string().min(1).max(4_000);

/** JSON Schema of a tool's arguments, given to the model unchanged. */
export type ToolParameters = Readonly<Record<string, unknown>>;

/** The medium of a conversation; a text conversation cannot hang up, transfer, or press keys. */
export const MEDIA = ["voice", "text"] as const;
export type Medium = (typeof MEDIA)[number];

/** Fields common to all tools' settings. */
type ToolShape = { kind: z.ZodLiteral<string>; name: z.ZodType<string>; [field: string]: z.ZodType };

/**
 * One kind of tool that an agent may have. Everything about a kind is declared here: its settings, what the model is
 * told, the media in which it works, and where it runs.
 */
export interface ToolKind<S extends z.ZodObject<ToolShape> = z.ZodObject<ToolShape>> {
  readonly settings: S;
  readonly media: readonly Medium[];
  /**
   * How the model's arguments reach the executor: as a control event that the call carries out, as a request from the
   * process that asks the model, or over the bus to the control API, which has the credentials.
   */
  readonly reach: "control" | "request" | "bus";
  /** JSON Schema of the arguments; absent for a kind that runs in the control API, which knows its own. */
  readonly parameters?: (tool: z.output<S>) => ToolParameters;
}

/** Declares a kind, typed by its settings' schema. */
export function toolKind<S extends z.ZodObject<ToolShape>>(kind: ToolKind<S>): ToolKind<S> {
  return kind;
}

/** Parameters: an object with exactly these properties. */
export function objectOf(properties: object, required: readonly string[]): ToolParameters {
  return { type: "object", properties, required, additionalProperties: false };
}
