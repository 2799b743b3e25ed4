const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

const PROLOG = '<?xml version="1.0" encoding="UTF-8"?>';

/** An XML document of text and values; each value is escaped, for an attribute as for text. */
export function xml(parts: TemplateStringsArray, ...values: readonly string[]): string {
  const escaped = values.map((value) => value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? ""));
  return PROLOG + String.raw({ raw: parts }, ...escaped);
}
