import { digitsIn } from "./numbers.ts";

const EMAIL = /[a-z0-9._%+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}/;

/** Nobody takes longer to spell an address; what is typed may be as long as a page. */
const MAX_SPOKEN_CHARS = 1_000;

const SPOKEN_MARKS: readonly (readonly [RegExp, string])[] = [
  [/\s+(?:at|@|ät|at sign|klammeraffe)\s+/gi, "@"],
  [/\s*\b(?:dot|period|punkt)\b\s*/gi, "."],
  [/\s*\b(?:underscore|unterstrich)\b\s*/gi, "_"],
  [/\s*\b(?:dash|hyphen|minus|bindestrich)\b\s*/gi, "-"],
];

/** Finds a written or spoken e-mail address, such as "jane dot doe at example dot com". */
export function emailIn(text: string): string | undefined {
  const written = EMAIL.exec(text.toLowerCase())?.[0];
  if (written !== undefined) return written;
  const heard = text.replace(/\s+/g, " ").slice(0, MAX_SPOKEN_CHARS);
  const marked = SPOKEN_MARKS.reduce((said, [spoken, mark]) => said.replace(spoken, mark), ` ${heard} `);
  const [, before = "", after = ""] = /^(.*)@(.*)$/.exec(marked.toLowerCase().trim()) ?? [];
  // The address is the last of the preceding words ("it is jane@…"); letters spelled one by one belong together.
  const name = /(?:(?<![^\s])[a-z0-9](?:\s+[a-z0-9](?![^\s]))+|[^\s]+)$/
    .exec(before)?.[0]
    .replace(/\s+/g, "");
  return EMAIL.exec(`${name ?? ""}@${after.replace(/\s+/g, "")}`)?.[0];
}

/** Finds a written or spoken phone number of 6 to 15 digits; keeps its + if it had one. */
export function phoneIn(text: string): string | undefined {
  const isInternational = /^[^\d+]*\+/.test(text) || /\bplus\b/i.test(text);
  const digits = digitsIn(text.replace(/(?<=\d)[\s().\-/]+(?=\d)/g, ""));
  if (digits.length < 6 || digits.length > 15) return undefined;
  return isInternational ? `+${digits}` : digits;
}
