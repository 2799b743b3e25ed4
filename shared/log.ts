import { type DestinationStream, type Logger as PinoLogger, pino } from "pino";
import { redactFields } from "./log-redaction.ts";

/**
 * Structured logs: an `event` to filter by, a static message that says what happened ("failed to …" with an `err`),
 * values in keys, and the session id on every line of a call (`log.child({ sessionId })`). Secrets and personal data
 * are removed by key, at any depth (`log-redaction.ts`); the message is not inspected, so it must contain no values.
 */
export type Logger = Pick<PinoLogger, "trace" | "debug" | "info" | "warn" | "error" | "fatal"> & {
  child(bindings: Record<string, unknown>): Logger;
};

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: "json" | "pretty";
  /** The process: gateway, control-api, parley. */
  readonly name: string;
  /** Destination of the lines; standard output when absent. */
  readonly destination?: DestinationStream;
}

export function createLogger(options: LoggerOptions): Logger {
  const { level, name, format, destination } = options;
  const settings = { level, name, formatters: { log: redactFields }, serializers: { err: keep } };
  if (destination) return toLogger(pino(settings, destination));
  if (format === "pretty" && canPrettify())
    return toLogger(pino({ ...settings, transport: { target: "pino-pretty" } }));
  return toLogger(pino(settings));
}

/** Redacts a child's bindings, too: pino formats what is logged, but not what a child is bound to. */
function toLogger(base: PinoLogger): Logger {
  return {
    trace: base.trace.bind(base),
    debug: base.debug.bind(base),
    info: base.info.bind(base),
    warn: base.warn.bind(base),
    error: base.error.bind(base),
    fatal: base.fatal.bind(base),
    child: (bindings) => toLogger(base.child(redactFields(bindings))),
  };
}

/** Errors are already described; pino would describe the description. */
function keep(value: unknown): unknown {
  return value;
}

/** pino-pretty is a development dependency, absent from a production install. */
function canPrettify(): boolean {
  try {
    import.meta.resolve("pino-pretty");
    return true;
  } catch {
    return false;
  }
}
