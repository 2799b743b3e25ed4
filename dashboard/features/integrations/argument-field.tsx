import { ChoiceField, Field, LongField } from "../../ui/field.tsx";
import { passwordOf } from "../../ui/use-submit.ts";
import type { Argument } from "./argument-list.ts";

interface ArgumentFieldProps {
  readonly argument: Argument;
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly defaultValue?: string;
  readonly onChange?: (text: string) => void;
}

/** The field for one argument of a tool. */
export function ArgumentField({ argument, isRequired = false, hint, onChange, ...of }: ArgumentFieldProps) {
  const { type, options, description } = argument;
  const field = {
    ...of,
    required: isRequired,
    hint: [hint, description].filter(Boolean).join(" "),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange?.(event.currentTarget.value),
  };
  if (type === "choice" || type === "yes or no") {
    return (
      <ChoiceField {...field}>
        <option value="">Not set</option>
        {(type === "choice" ? options : ["true", "false"]).map((option) => (
          <option key={option} value={option}>
            {type === "choice" ? option : YES_OR_NO[option]}
          </option>
        ))}
      </ChoiceField>
    );
  }
  if (type === "json") return <LongField {...field} rows={3} spellCheck={false} placeholder="JSON" />;
  return (
    <Field
      {...field}
      autoComplete="off"
      spellCheck={false}
      inputMode={type === "number" ? "decimal" : "text"}
    />
  );
}

const YES_OR_NO: Readonly<Record<string, string>> = { true: "Yes", false: "No" };

/** Parses typed text into the tool's value; undefined when empty. Unparsable text stays text, to be refused. */
export function readArgument(text: string, type: Argument["type"]): unknown {
  if (text.trim() === "") return undefined;
  if (type === "text" || type === "choice") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A value as one would type it. */
export function argumentText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A form's arguments, by name. */
export function enteredArguments(
  fields: FormData,
  given: readonly Argument[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    given
      .map(({ name, type }) => [name, readArgument(passwordOf(fields, `argument.${name}`), type)] as const)
      .filter(([, value]) => value !== undefined),
  );
}
