/** Returns `fallback` if the error says that a file or folder is missing; throws any other error. */
export function orIfMissing<T>(error: unknown, fallback: T): T {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return fallback;
  throw error;
}
