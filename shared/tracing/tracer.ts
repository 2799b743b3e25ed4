/** Attributes of a span besides its name. Never spoken content, a number, or a secret. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** One stretch of work in a trace. All times are ms on the process's monotonic clock. */
export interface TraceSpan {
  /** W3C `traceparent` that makes another process's spans children of this one; undefined when nobody traces. */
  readonly traceparent: string | undefined;
  /** Begins a child span. */
  open(name: string, startMs: number, attributes?: SpanAttributes): TraceSpan;
  /** Begins a span for an outgoing request, under which the other side's spans belong (OpenTelemetry's kind CLIENT). */
  openRequest(name: string, startMs: number): TraceSpan;
  /** Marks the span as failed; `type` is a code or an error class, never a message. */
  fail(type: string): void;
  /** Ends the span; later calls do nothing. */
  end(endMs: number, attributes?: SpanAttributes): void;
}

/** Where spans go. */
export interface Tracer {
  open(name: string, startMs: number, attributes?: SpanAttributes): TraceSpan;
  /** Flushes the remaining spans, for a moment at most. */
  close(): Promise<void>;
}

const NO_SPAN: TraceSpan = {
  traceparent: undefined,
  open: () => NO_SPAN,
  openRequest: () => NO_SPAN,
  fail: () => undefined,
  end: () => undefined,
};

/** The tracer used when tracing is off; costs nothing. */
export const NO_TRACER: Tracer = { open: () => NO_SPAN, close: async () => undefined };
