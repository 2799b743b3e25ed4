/** How the messages of a schema begin that go on with the field's name: "is required". */
const PREDICATE = /^(is|are|must|has|may|can|cannot|needs?|contains?) /;

/** A schema's message as a sentence about the field with a label: "Name is required." */
export function labeled(label: string, text: string): string {
  // Without what is beside the name: "(optional)", "(US dollars)".
  const name = label.replace(/ \([^()]*\)$/, "");
  const said = name !== "" && PREDICATE.test(text) ? `${name} ${text}` : text;
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? "" : "."}`;
}
