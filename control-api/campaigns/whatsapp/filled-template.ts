import type { Blank, WhatsAppSettings } from "@parley/shared/contracts/whatsapp-campaigns.ts";

type Template = WhatsAppSettings["template"];
type Values = Readonly<Record<string, string>>;

/** The variable that a template needs and a target lacks; WhatsApp refuses empty blanks. */
export function missingIn({ header, parameters }: Template, values: Values): string | undefined {
  return [...(header === null ? [] : [header]), ...parameters]
    .map(variableOf)
    .find((name) => (values[name] ?? "") === "");
}

/** The template as WhatsApp takes it, with a target's values in its blanks. */
export function filledTemplate({ name, language, header, parameters }: Template, values: Values): object {
  const filled = (blank: Blank) => ({
    type: "text",
    ...(typeof blank === "string" ? {} : { parameter_name: blank.name }),
    text: oneLine(values[variableOf(blank)] ?? ""),
  });
  const components = [
    ...(header === null ? [] : [{ type: "header", parameters: [filled(header)] }]),
    ...(parameters.length === 0 ? [] : [{ type: "body", parameters: parameters.map(filled) }]),
  ];
  return { name, language: { code: language }, components };
}

function variableOf(blank: Blank): string {
  return typeof blank === "string" ? blank : blank.variable;
}

/** WhatsApp refuses parameters with line breaks, tabs or more than four spaces in a row. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, " ").replace(/ {5,}/g, "    ");
}
