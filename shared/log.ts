import { type DestinationStream, type Logger as PinoLogger, pino } from "pino";

/**
 * Structured logs: a static message, values in keys, the session id on every line of a call
 * (`log.child({ sessionId })`). Keys below never reach the output, whatever is put under them.
 */
export type Logger = Pick<PinoLogger, "trace" | "debug" | "info" | "warn" | "error" | "fatal"> & {
  child(bindings: Record<string, unknown>): Logger;
};

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Secrets, and what people say or are called. */
const REDACTED_KEYS = [
  "authorization",
  "apiKey",
  "api_key",
  "x-api-key",
  "cookie",
  "ticket",
  "token",
  "secret",
  "password",
  "query",
  "text",
  "identifier",
  "variables",
] as const;

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: "json" | "pretty";
  /** The process: gateway, control-api, parley. */
  readonly name: string;
  /** Where lines go; standard output when absent. */
  readonly destination?: DestinationStream;
}

export function createLogger(options: LoggerOptions): Logger {
  const { level, name, format, destination } = options;
  const paths = REDACTED_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]);
  const settings = { level, name, redact: { paths, censor: "[redacted]" } };
  if (destination) return pino(settings, destination);
  if (format === "pretty" && canPrettify())
    return pino({ ...settings, transport: { target: "pino-pretty" } });
  return pino(settings);
}

/** pino-pretty is a development dependency: a production install goes without. */
function canPrettify(): boolean {
  try {
    import.meta.resolve("pino-pretty");
    return true;
  } catch {
    return false;
  }
}
