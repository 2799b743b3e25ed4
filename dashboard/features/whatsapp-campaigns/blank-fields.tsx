import { variableOf } from "@parley/shared/contracts/target-table.ts";
import type { Blank, WhatsAppSettings } from "@parley/shared/contracts/whatsapp-campaigns.ts";
import type { FieldValues, Path } from "react-hook-form";
import { Field } from "../../ui/field.tsx";
import type { SchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { isNamed, templateText } from "../messaging/template-text.ts";
import type { Template } from "../messaging/use-channels.ts";

/** The columns that fill in a template's blanks, each in the field of its blank. */
export type TypedBlanks = Record<string, string>;

interface BlankFieldsProps<Typed extends FieldValues> {
  readonly form: SchemaForm<Typed>;
  readonly template: Template;
}

/** A template's text, and which column of the list fills in each of its blanks. */
export function BlankFields<Typed extends FieldValues>({ form, template }: BlankFieldsProps<Typed>) {
  const fields = fieldsOf(template);
  return (
    <>
      <p className="template-text">{templateText(template.components).text}</p>
      <div className="campaign-fields">
        {fields.map(({ part, blank, name }) => (
          <Field
            key={name}
            {...form.field(
              name as Path<Typed>,
              `Column for {{${blank}}}${part === "header" ? " in the header" : ""}`,
            )}
            autoComplete="off"
            required
            placeholder="name"
          />
        ))}
      </div>
      {fields.length > 0 && (
        <p className="pf-muted">Each person in your list needs a value in these columns.</p>
      )}
    </>
  );
}

/** A field for each blank, of this template alone: another one begins with its own columns. */
function fieldsOf({ name: template, language, components }: Template) {
  const { header, body } = templateText(components);
  return (["header", "body"] as const).flatMap((part) =>
    ({ header, body })[part].map((blank, index) => {
      const name = `${part} ${index} ${template} ${language}`.replace(/\W/g, "_");
      return { part, blank, index, name };
    }),
  );
}

/** What the fields begin with: the campaign's columns until now, or the names of the blanks. */
export function typedBlanks(
  template: Template | undefined,
  filled: WhatsAppSettings["template"] | undefined,
): TypedBlanks {
  if (!template) return {};
  const own = filled?.name === template.name ? filled : undefined;
  const given = { header: own?.header ? [own.header] : [], body: own?.parameters ?? [] };
  return Object.fromEntries(
    fieldsOf(template).map(({ part, blank, index, name }) => [
      name,
      variableIn(given[part][index]) ?? (isNamed(blank) ? blank : ""),
    ]),
  );
}

/** Where the parts of a template are typed. */
export function blankPlaces(template: Template | undefined): Record<string, string> {
  if (!template) return {};
  return Object.fromEntries(
    fieldsOf(template).map(({ part, index, name }) => [
      part === "header" ? "template.header" : `template.parameters.${index}`,
      name,
    ]),
  );
}

/** The columns as the API takes them. */
export function blanksIn(
  typed: TypedBlanks,
  template: Template,
): { header: Blank | null; parameters: Blank[] } {
  const filled = (wanted: "header" | "body"): Blank[] =>
    fieldsOf(template).flatMap(({ part, blank, name }) => {
      if (part !== wanted) return [];
      const variable = variableOf(typed[name] ?? "");
      return [isNamed(blank) ? { name: blank, variable } : variable];
    });
  return { header: filled("header")[0] ?? null, parameters: filled("body") };
}

function variableIn(blank: Blank | undefined): string | undefined {
  return typeof blank === "object" ? blank.variable : blank;
}
