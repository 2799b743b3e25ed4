const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

const PROLOG = '<?xml version="1.0" encoding="UTF-8"?>';

/** Builds an XML document, escaping each value for text and attributes alike. */
export function xml(parts: TemplateStringsArray, ...values: readonly string[]): string {
  const escaped = values.map((value) => value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? ""));
  return PROLOG + String.raw({ raw: parts }, ...escaped);
}
