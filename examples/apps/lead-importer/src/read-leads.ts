/** A row by the names of its columns; all but the phone are variables of the call. */
export type Lead = Readonly<Record<string, string>>;

/** Rows of a CSV file with their names in the first line; a field in quotes may have commas, and quotes twice. */
export function readLeads(text: string): Lead[] {
  const [names = [], ...rows] = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map(fieldsOf);
  if (!names.includes("phone")) throw new Error("The file has no column “phone”.");
  return rows.map((fields) => Object.fromEntries(names.map((name, at) => [name, fields[at] ?? ""])));
}

function fieldsOf(line: string): string[] {
  const fields = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...fields].map(([, quoted, plain = ""]) => (quoted?.replaceAll('""', '"') ?? plain).trim());
}
