/**
 * A value as JSON keeps it: fields that are undefined are left out, and a date is its text. What JSON does not know,
 * and what contains itself, stays for the port or the host to refuse.
 */
export function plain(value: unknown, around: readonly object[] = []): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value !== "object" || value === null || around.includes(value)) return value;
  const within = [...around, value];
  if (Array.isArray(value)) return value.map((one) => (one === undefined ? null : plain(one, within)));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, plain(one, within)]])),
  );
}

/** Not an instance of a class, such as a map or an element. */
function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
