/** What a span is told besides its name. Never what was said, a number or a secret. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** One stretch of work in a trace. All times are ms on the process's monotonic clock. */
export interface TraceSpan {
  /** W3C `traceparent` that makes somebody else's spans children of this one; undefined when nobody traces. */
  readonly traceparent: string | undefined;
  /** Begins a part of this span. */
  open(name: string, startMs: number, attributes?: SpanAttributes): TraceSpan;
  /** Begins a request to somebody else, whose own spans belong below it (OpenTelemetry's kind CLIENT). */
  openRequest(name: string, startMs: number): TraceSpan;
  /** Marks it as failed; `type` is a code or a class of errors, never a message. */
  fail(type: string): void;
  /** Ends it; later calls do nothing. */
  end(endMs: number, attributes?: SpanAttributes): void;
}

/** Where spans go. */
export interface Tracer {
  open(name: string, startMs: number, attributes?: SpanAttributes): TraceSpan;
  /** Hands over what is left, for a moment at most. */
  close(): Promise<void>;
}

const NO_SPAN: TraceSpan = {
  traceparent: undefined,
  open: () => NO_SPAN,
  openRequest: () => NO_SPAN,
  fail: () => undefined,
  end: () => undefined,
};

/** The tracer of those who do not trace: it costs nothing. */
export const NO_TRACER: Tracer = { open: () => NO_SPAN, close: async () => undefined };
