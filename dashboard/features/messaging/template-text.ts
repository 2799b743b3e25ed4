type Component = Readonly<Record<string, unknown>>;

/** A template as people see it, and what has to be filled in. */
export interface TemplateText {
  readonly text: string;
  /** Names of the blanks: `1`, `2` and so on, or words. */
  readonly header: readonly string[];
  readonly body: readonly string[];
  /** Why it cannot be filled in here; undefined if it can. */
  readonly problem: string | undefined;
}

const BLANK = /\{\{\s*(\w+)\s*\}\}/g;

/** Reads a template's components, as Meta writes them. */
export function templateText(components: readonly Component[]): TemplateText {
  const [header, body] = [textOf(components, "HEADER"), textOf(components, "BODY")];
  return {
    text: [header, body].filter((text) => text !== "").join("\n"),
    header: blanksIn(header),
    body: blanksIn(body),
    problem: problemOf(components),
  };
}

/** A template's blanks filled in, as the API takes them. */
export function filledIn(
  { header, body }: Pick<TemplateText, "header" | "body">,
  valueIn: (part: "header" | "body", blank: string) => string,
): object[] {
  const component = (type: "header" | "body", blanks: readonly string[]) =>
    blanks.length === 0
      ? []
      : [{ type, parameters: blanks.map((blank) => parameter(blank, valueIn(type, blank))) }];
  return [...component("header", header), ...component("body", body)];
}

/** Blanks with words for names are filled in by name, others in their order. */
export function isNamed(blank: string): boolean {
  return !/^\d+$/.test(blank);
}

function parameter(blank: string, text: string): object {
  return { type: "text", ...(isNamed(blank) ? { parameter_name: blank } : {}), text };
}

function textOf(components: readonly Component[], type: string): string {
  const text = components.find((component) => component.type === type)?.text;
  return typeof text === "string" ? text : "";
}

function blanksIn(text: string): string[] {
  const names = [...new Set([...text.matchAll(BLANK)].map(([, name = ""]) => name))];
  return names.some(isNamed) ? names : names.toSorted((one, other) => Number(one) - Number(other));
}

function problemOf(components: readonly Component[]): string | undefined {
  const header = components.find(({ type }) => type === "HEADER");
  const format = header?.format ?? "TEXT";
  if (format !== "TEXT")
    return `Its header is of type ${String(format).toLowerCase()}, which cannot be filled in here.`;
  const buttons = components.find(({ type }) => type === "BUTTONS")?.buttons;
  const needsValue =
    Array.isArray(buttons) &&
    buttons.some(
      (button: unknown) =>
        String(Reflect.get(Object(button), "url") ?? "").includes("{{") ||
        ["OTP", "COPY_CODE"].includes(String(Reflect.get(Object(button), "type"))),
    );
  return needsValue ? "One of its buttons needs a value, which cannot be filled in here." : undefined;
}
