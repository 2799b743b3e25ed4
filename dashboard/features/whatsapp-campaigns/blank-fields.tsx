import { variableOf } from "@parley/shared/contracts/target-table.ts";
import type { Blank, WhatsAppSettings } from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { Field } from "../../ui/field.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { isNamed, type TemplateText, templateText } from "../messaging/template-text.ts";
import type { Template } from "../messaging/use-channels.ts";

interface BlankFieldsProps {
  readonly template: Template;
  /** What fills in the campaign's template until now. */
  readonly filled: WhatsAppSettings["template"] | undefined;
}

/** A template's text, and which column of the list fills in each of its blanks. */
export function BlankFields({ template, filled }: BlankFieldsProps) {
  const { text, header, body } = templateText(template.components);
  const own = filled?.name === template.name ? filled : undefined;
  const given = { header: own?.header ? [own.header] : [], body: own?.parameters ?? [] };
  return (
    <>
      <p className="template-text">{text}</p>
      <div className="campaign-fields">
        {(["header", "body"] as const).flatMap((part) =>
          ({ header, body })[part].map((blank, index) => (
            <Field
              key={`${part} ${blank}`}
              label={`Column for {{${blank}}}${part === "header" ? " in the header" : ""}`}
              name={`${part}-${blank}`}
              maxLength={64}
              autoComplete="off"
              required
              placeholder="name"
              defaultValue={variableIn(given[part][index]) ?? (isNamed(blank) ? blank : "")}
            />
          )),
        )}
      </div>
      {header.length + body.length > 0 && (
        <p className="pf-muted">Each person in your list needs a value in these columns.</p>
      )}
    </>
  );
}

/** The fields as the API takes them. */
export function blanksIn(
  fields: FormData,
  { header, body }: TemplateText,
): { header: Blank | null; parameters: Blank[] } {
  const filled =
    (part: string) =>
    (blank: string): Blank => {
      const variable = variableOf(textOf(fields, `${part}-${blank}`));
      return isNamed(blank) ? { name: blank, variable } : variable;
    };
  const [first] = header.map(filled("header"));
  return { header: first ?? null, parameters: body.map(filled("body")) };
}

function variableIn(blank: Blank | undefined): string | undefined {
  return typeof blank === "object" ? blank.variable : blank;
}
