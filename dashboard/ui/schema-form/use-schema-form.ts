import { plainEnglish } from "@parley/shared/contracts/plain-english.ts";
import { problemsOf } from "@parley/shared/contracts/problems.ts";
import type { FormEvent } from "react";
import { type DefaultValues, type FieldErrors, type FieldValues, type Path, useForm } from "react-hook-form";
import type { z } from "zod";
import { fieldTextsOf, reasonOf } from "../../api/api-error.ts";
import { labeled } from "./labeled.ts";

interface Options<Typed extends FieldValues, Schema extends z.ZodType> {
  /** The contract of the request: what the API would refuse is said before it is sent. */
  readonly schema: Schema;
  /** What the fields begin with. */
  readonly values: Typed;
  /** Makes the request's body from what was typed; without it, they are the same. */
  readonly body?: (typed: Typed) => unknown;
  /** Sends the request. What it throws is shown; the fields stay as they are. */
  readonly send: (body: z.output<Schema>) => Promise<unknown>;
}

export interface SchemaForm<Typed extends FieldValues> {
  /** A field's properties, with what is wrong with it as a sentence. */
  readonly field: (
    name: Path<Typed>,
    label: string,
  ) => ReturnType<ReturnType<typeof useForm<Typed>>["register"]> & {
    readonly label: string;
    readonly fault: string | undefined;
  };
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Empties the fields, or gives them what they began with. */
  readonly reset: () => void;
  readonly isBusy: boolean;
  /** Attempts so far: after each, the focus goes to the first field that is wrong. */
  readonly attempts: number;
  /** What is wrong, but with none of the fields. */
  readonly problem: string | undefined;
}

const BODY = "body";

/** A form whose fields are checked with the schema of the request they become. */
export function useSchemaForm<Typed extends FieldValues, Schema extends z.ZodType>({
  schema,
  values,
  body = (typed) => typed,
  send,
}: Options<Typed, Schema>): SchemaForm<Typed> {
  const { register, handleSubmit, setError, reset, formState } = useForm<Typed>({
    defaultValues: values as DefaultValues<Typed>,
    // The form's component moves the focus: it knows the order on the page.
    shouldFocusError: false,
    resolver: (typed) => {
      const parsed = schema.safeParse(body(typed), { error: plainEnglish });
      if (parsed.success) return { values: typed, errors: {} };
      return { values: {}, errors: errorsOf(problemsOf(parsed.error.issues, BODY), values) };
    },
  });
  const { errors, isSubmitting, submitCount } = formState;
  const submit = handleSubmit(async (typed) => {
    try {
      await send(schema.parse(body(typed)));
    } catch (error) {
      const texts = Object.entries(fieldTextsOf(error));
      const isOfFields = texts.length > 0 && texts.every(([field]) => fieldOf(field, values) !== undefined);
      if (!isOfFields) setError("root", { message: reasonOf(error) });
      for (const [field, message] of isOfFields ? texts : [])
        setError(fieldOf(field, values) as Path<Typed>, { message });
    }
  });
  return {
    field: (name, label) => {
      const message: unknown = errors[name]?.message;
      const fault = typeof message === "string" ? labeled(label, message) : undefined;
      return { ...register(name), label, fault };
    },
    onSubmit: (event) => void submit(event),
    reset: () => reset(),
    isBusy: isSubmitting,
    attempts: submitCount,
    problem: errors.root?.message,
  };
}

/** Errors by field of the form, the first of each; what concerns none of them is about the whole. */
function errorsOf<Typed extends FieldValues>(
  problems: readonly { readonly field: string; readonly text: string }[],
  values: Typed,
): FieldErrors<Typed> {
  const errors: Record<string, { type: string; message: string }> = {};
  for (const { field, text } of problems) {
    const own = fieldOf(field, values);
    const message = own === undefined ? labeled(field === BODY ? "" : field, text) : text;
    errors[own ?? "root"] ??= { type: "schema", message };
  }
  return errors as FieldErrors<Typed>;
}

/** The form's field that a path of the body belongs to. */
function fieldOf(path: string, values: FieldValues): string | undefined {
  const [first = ""] = path.split(".");
  return Object.hasOwn(values, first) ? first : undefined;
}
