import { plainEnglish } from "@parley/shared/contracts/plain-english.ts";
import { problemsOf } from "@parley/shared/contracts/problems.ts";
import type { FormEvent } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type PathValue,
  useForm,
} from "react-hook-form";
import type { z } from "zod";
import { fieldTextsOf, reasonOf } from "../../api/api-error.ts";
import { labeled } from "./labeled.ts";

type Places<Typed extends FieldValues> = Readonly<Record<string, Path<Typed>>>;

interface Options<Typed extends FieldValues, Schema extends z.ZodType> {
  /** The contract of the request: what the API would refuse is said before it is sent. */
  readonly schema: Schema;
  /** What the fields begin with; what comes later goes into fields in which nothing was typed. */
  readonly values: Typed;
  /**
   * The field of a path of the body, where it is called otherwise: `hours.from` is typed in `from`. A function where
   * that depends on what is typed, such as which rows of a list are left out.
   */
  readonly places?: Places<Typed> | (() => Places<Typed>);
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
  /** What is in a field now. */
  readonly typed: <Name extends Path<Typed>>(name: Name) => PathValue<Typed, Name>;
  /** Changes a field as if it were typed. */
  readonly put: <Name extends Path<Typed>>(name: Name, value: PathValue<Typed, Name>) => void;
  /** Checks again, once it was tried to send: for what is typed in no field of the form. */
  readonly recheck: () => void;
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
/** For a form that begins anew. */
const ANEW = {
  keepDirtyValues: false,
  keepErrors: false,
  keepIsSubmitted: false,
  keepSubmitCount: false,
} as const;
/** For values that come while somebody types. */
const LATE_VALUES = {
  keepDirtyValues: true,
  keepErrors: true,
  keepIsSubmitted: true,
  keepSubmitCount: true,
} as const;

/** A form whose fields are checked with the schema of the request they become. */
export function useSchemaForm<Typed extends FieldValues, Schema extends z.ZodType>({
  schema,
  values,
  places = {},
  body = (typed) => typed,
  send,
}: Options<Typed, Schema>): SchemaForm<Typed> {
  const placesNow = typeof places === "function" ? places : () => places;
  const { register, handleSubmit, setError, reset, watch, setValue, trigger, formState } = useForm<Typed>({
    defaultValues: values as DefaultValues<Typed>,
    values,
    resetOptions: LATE_VALUES,
    // The form's component moves the focus: it knows the order on the page.
    shouldFocusError: false,
    resolver: (typed) => {
      const parsed = schema.safeParse(body(typed), { error: plainEnglish });
      if (parsed.success) return { values: typed, errors: {} };
      return {
        values: {},
        errors: errorsOf(problemsOf(parsed.error.issues, BODY), (path) => fieldOf(path, typed, placesNow())),
      };
    },
  });
  // Reading the dirty fields has the library keep them.
  const { errors, isSubmitting, submitCount, dirtyFields: _dirty } = formState;
  const submit = handleSubmit(async (typed) => {
    try {
      await send(schema.parse(body(typed)));
    } catch (error) {
      const texts = Object.entries(fieldTextsOf(error)).map(
        ([path, message]) => [fieldOf(path, typed, placesNow()), message] as const,
      );
      const isOfFields = texts.length > 0 && texts.every(([field]) => field !== undefined);
      if (!isOfFields) setError("root", { message: reasonOf(error) });
      for (const [field, message] of isOfFields ? texts : []) setError(field as Path<Typed>, { message });
    }
  });
  return {
    field: (name, label) => {
      const message: unknown = errors[name]?.message;
      const fault = typeof message === "string" ? labeled(label, message) : undefined;
      return { ...register(name), label, fault };
    },
    typed: (name) => watch(name),
    put: (name, value) => setValue(name, value, { shouldDirty: true, shouldValidate: submitCount > 0 }),
    recheck: () => {
      if (submitCount > 0) void trigger();
    },
    onSubmit: (event) => void submit(event),
    reset: () => reset(undefined, ANEW),
    isBusy: isSubmitting,
    attempts: submitCount,
    problem: errors.root?.message,
  };
}

/** Errors by field of the form, the first of each; what concerns none of them is about the whole. */
function errorsOf<Typed extends FieldValues>(
  problems: readonly { readonly field: string; readonly text: string }[],
  fieldAt: (path: string) => string | undefined,
): FieldErrors<Typed> {
  const errors: Record<string, { type: string; message: string }> = {};
  for (const { field, text } of problems) {
    const own = fieldAt(field);
    const message = own === undefined ? labeled(field === BODY ? "" : field, text) : text;
    errors[own ?? "root"] ??= { type: "schema", message };
  }
  return errors as FieldErrors<Typed>;
}

/** The form's field that a path of the body belongs to: its own, or that of the nearest part around it. */
function fieldOf(
  path: string,
  typed: FieldValues,
  places: Readonly<Record<string, string>>,
): string | undefined {
  const parts = path.split(".");
  for (let length = parts.length; length > 0; length--) {
    const part = parts.slice(0, length).join(".");
    if (Object.hasOwn(places, part)) return places[part];
    if (Object.hasOwn(typed, part)) return part;
  }
  return undefined;
}
