import { sha256Hex } from "@parley/shared/security/secrets.ts";

/** Names a tool with its arguments, whatever the order of their fields; what was said cannot be read from it. */
export function fingerprintOf(tool: string, args: Readonly<Record<string, unknown>>): string {
  return sha256Hex(JSON.stringify([tool, sorted(args)]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}
