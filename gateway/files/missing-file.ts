/** `fallback` when the error says that there is no such file or folder; throws any other. */
export function orIfMissing<T>(error: unknown, fallback: T): T {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return fallback;
  throw error;
}
