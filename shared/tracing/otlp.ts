import {
  type Context,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Clock } from "../clock.ts";
import type { SpanAttributes, Tracer, TraceSpan } from "./tracer.ts";

/** Maximum spans waiting for a slow collector; beyond it, new spans are dropped. */
const MAX_QUEUED_SPANS = 2_048;
const EXPORT_TIMEOUT_MS = 5_000;
const FLUSH_EVERY_MS = 1_000;
/** How long the end of the process waits for the collector. */
const CLOSE_WITHIN_MS = 2_000;

/** Sends spans to a collector as OTLP over HTTP. A slow or absent collector costs spans, never a call. */
export function createOtlpTracer(options: {
  readonly endpoint: string;
  readonly serviceName: string;
  readonly clock: Clock;
}): Tracer {
  const { endpoint, serviceName, clock } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: MAX_QUEUED_SPANS,
    scheduledDelayMillis: FLUSH_EVERY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("parley");
  return {
    open: (name, startMs, attributes) =>
      openSpan({ tracer, clock, parent: ROOT_CONTEXT }, name, { startMs, attributes }),
    close: async () => {
      const closed = provider.shutdown().catch(() => undefined);
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS))]);
    },
  };
}

interface SpanDeps {
  readonly tracer: OtelTracer;
  readonly clock: Clock;
  readonly parent: Context;
}

function openSpan(
  deps: SpanDeps,
  name: string,
  {
    startMs,
    attributes,
    kind = SpanKind.INTERNAL,
  }: { startMs: number; attributes?: SpanAttributes | undefined; kind?: SpanKind },
): TraceSpan {
  const { tracer, clock, parent } = deps;
  const span = tracer.startSpan(
    name,
    { startTime: wallTime(clock, startMs), attributes: attributes ?? {}, kind },
    parent,
  );
  const context = trace.setSpan(parent, span);
  return {
    traceparent: traceparentOf(span),
    open: (child, childStartMs, childAttributes) =>
      openSpan({ ...deps, parent: context }, child, { startMs: childStartMs, attributes: childAttributes }),
    openRequest: (child, childStartMs) =>
      openSpan({ ...deps, parent: context }, child, { startMs: childStartMs, kind: SpanKind.CLIENT }),
    fail: (type) => {
      span.setAttribute("error.type", type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: (endMs, more) => {
      if (!span.isRecording()) return;
      if (more) span.setAttributes(more);
      span.end(wallTime(clock, endMs));
    },
  };
}

/** Converts a monotonic time to ms since the epoch, the only time that collectors understand. */
function wallTime(clock: Clock, atMs: number): number {
  return clock.wallMs() - (clock.monotonicMs() - atMs);
}

/** W3C Trace Context, level 1: version, trace id, span id, sampled. */
function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}
