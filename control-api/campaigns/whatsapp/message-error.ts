/** Why a message failed, in words; null if it did not. */
export function errorIn(errors: readonly object[] | null): string | null {
  const message: unknown = Reflect.get(errors?.[0] ?? {}, "message");
  return typeof message === "string" && message !== "" ? message : null;
}
