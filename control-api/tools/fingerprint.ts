import { sha256Hex } from "@parley/shared/security/secrets.ts";

/** Identifies a tool with its arguments, whatever their order; the arguments cannot be read from it. */
export function fingerprintOf(tool: string, args: Readonly<Record<string, unknown>>): string {
  return sha256Hex(JSON.stringify([tool, sorted(args)]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}
