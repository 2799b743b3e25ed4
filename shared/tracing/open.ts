import type { Clock } from "../clock.ts";
import { NO_TRACER, type Tracer } from "./tracer.ts";

export interface TracingOptions {
  /** Base URL of a collector for OTLP over HTTP; undefined: nothing is traced. */
  readonly endpoint: string | undefined;
  readonly serviceName: string;
  readonly clock: Clock;
}

/** Opens the configured tracer. OpenTelemetry is loaded only when a collector is configured. */
export async function openTracer({ endpoint, serviceName, clock }: TracingOptions): Promise<Tracer> {
  if (endpoint === undefined) return NO_TRACER;
  const { createOtlpTracer } = await import("./otlp.ts");
  return createOtlpTracer({ endpoint, serviceName, clock });
}
