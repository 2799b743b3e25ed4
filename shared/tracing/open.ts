import type { Clock } from "../clock.ts";
import { NO_TRACER, type Tracer } from "./tracer.ts";

export interface TracingOptions {
  /** Base address of a collector that takes OTLP over HTTP; undefined: nothing is traced. */
  readonly endpoint: string | undefined;
  readonly serviceName: string;
  readonly clock: Clock;
}

/** The configured tracer. OpenTelemetry is loaded only where a collector is named. */
export async function openTracer({ endpoint, serviceName, clock }: TracingOptions): Promise<Tracer> {
  if (endpoint === undefined) return NO_TRACER;
  const { createOtlpTracer } = await import("./otlp.ts");
  return createOtlpTracer({ endpoint, serviceName, clock });
}
