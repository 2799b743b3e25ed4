import type { Unsubscribe } from "./records.ts";

export interface CallRecord {
  readonly id: string;
  readonly agent_id: string | null;
  readonly agent_name: string | null;
  readonly channel:
    | "telephony"
    | "softphone"
    | "web_call"
    | "whatsapp"
    | "instagram"
    | "web_chat"
    | "simulation";
  readonly direction: "inbound" | "outbound" | "web" | "whatsapp" | "instagram";
  readonly from_number: string | null;
  readonly to_number: string | null;
  /** For example `completed`, `failed`, `in-progress`, `no-answer`. */
  readonly status: string;
  readonly duration_sec: number;
  /** ISO 8601. */
  readonly start_time: string;
  /** Null while the call is in progress. */
  readonly end_time: string | null;
}

/** One call with its summary, analysis and transcript. */
export interface CallDetail extends CallRecord {
  readonly summary: string | null;
  readonly analysis: unknown;
  readonly transcript: readonly {
    readonly role: "user" | "assistant";
    readonly text: string;
    /** ISO 8601. */
    readonly at: string;
  }[];
}

export interface CallFrame {
  readonly topic:
    | "call.turn"
    | "call.transcript_partial"
    | "call.barge_in"
    | "call.silence"
    | "call.dtmf"
    | "call.node_entered";
  readonly sessionId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Commonly `number` (either leg) and `sessionId` (exact match, comma-separated). */
export type CallFilters = Readonly<Record<string, string>>;

export interface Calls {
  initiate(
    agentId: string,
    phone: string,
    variables?: Readonly<Record<string, string>>,
  ): Promise<{ sessionId: string }>;
  history(filters?: CallFilters): Promise<CallRecord[]>;
  get(sessionId: string): Promise<CallDetail>;
  /** Opens the call's page in the dashboard. */
  open(sessionId: string): Promise<{ sessionId: string }>;
}

export interface Stream {
  /** Subscribes to a call in progress; call the result to stop. */
  subscribe(sessionId: string, onFrame: (frame: CallFrame) => void): Promise<Unsubscribe>;
}
