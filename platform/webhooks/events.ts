/**
 * The payload of each webhook event, by its name. Made from the catalog of events by
 * `node scripts/update-webhooks.ts`: change that, not this.
 */
export interface WebhookEvents {
  /** Media is live: once a call, never for one that did not connect. */
  "call.started": {
    event: "call.started";
    orgId: string;
    occurredAt: string;
    sessionId: string;
    agentId: string | null;
    identifier: string | null;
    direction: "inbound" | "outbound" | "web" | "whatsapp" | "instagram" | null;
    channel: "telephony" | "softphone" | "web_chat" | "chat" | "whatsapp" | "instagram" | "simulation" | null;
    callSid: string | null;
    fromNumber: string | null;
    toNumber: string | null;
    userId: string;
    variables: Record<string, string>;
    startTime: string;
    from: string | null;
  };
  /** The call is over, also one that never connected. */
  "call.ended": {
    event: "call.ended";
    orgId: string;
    occurredAt: string;
    sessionId: string;
    agentId: string | null;
    identifier: string | null;
    direction: "inbound" | "outbound" | "web" | "whatsapp" | "instagram" | null;
    channel: "telephony" | "softphone" | "web_chat" | "chat" | "whatsapp" | "instagram" | "simulation" | null;
    callSid: string | null;
    fromNumber: string | null;
    toNumber: string | null;
    userId: string;
    variables: Record<string, string>;
    startTime: string;
    durationSecs: number;
    endTime: string;
    messageCount: number;
    answeredBy: string | null;
    endReason: string | null;
    fromOrTo: string | null;
    recording?:
      | {
          id: string;
          url: string;
          expiresAt: string;
        }
      | undefined;
    transcript?:
      | {
          role: "user" | "assistant";
          text: string;
          at: string;
        }[]
      | undefined;
  };
  /** A machine answered. */
  "call.machine_detected": {
    event: "call.machine_detected";
    orgId: string;
    occurredAt: string;
    sessionId: string;
    agentId: string | null;
    identifier: string | null;
    direction: "inbound" | "outbound" | "web" | "whatsapp" | "instagram" | null;
    channel: "telephony" | "softphone" | "web_chat" | "chat" | "whatsapp" | "instagram" | "simulation" | null;
    callSid: string | null;
    fromNumber: string | null;
    toNumber: string | null;
    answeredBy:
      | "machine_start"
      | "machine_end_beep"
      | "machine_end_silence"
      | "machine_end_other"
      | "machine"
      | "machine_text_detect";
    action: "ivr_hangup" | "call_screen" | "amd_hangup" | "voicemail_drop";
    callContinues: boolean;
    detectedAt: string;
  };
  /** The caller pressed a key. Not redacted. */
  "call.dtmf": {
    event: "call.dtmf";
    orgId: string;
    occurredAt: string;
    sessionId: string;
    agentId: string | null;
    identifier: string | null;
    digit: "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "#" | "*" | "A" | "B" | "C" | "D";
  };
  /** Somebody said something. */
  "transcript.ready": {
    event: "transcript.ready";
    orgId: string;
    occurredAt: string;
    sessionId: string;
    agentId: string | null;
    identifier: string | null;
    role: "user" | "assistant";
    text: string;
  };
  /** The agent used a tool. */
  "tool.invoked": {
    event: "tool.invoked";
    orgId: string;
    occurredAt: string;
    sessionId: string;
    agentId: string | null;
    identifier: string | null;
    name: string;
    arguments: Record<string, unknown> | string | null;
    result: unknown;
    status: "success" | "error" | "not_found" | "abandoned" | `confirmation_${string}`;
    latencyMs: number;
  };
  /** A recording is stored. */
  "recording.ready": {
    event: "recording.ready";
    orgId: string;
    occurredAt: string;
    sessionId: string | null;
    agentId: string | null;
    identifier?: string | null | undefined;
    recordingId: string;
    durationSecs: number | null;
    recording: {
      id: string;
      url?: string | undefined;
      expiresAt?: string | undefined;
    };
  };
  /** The analysis of a call is done. */
  "call.analyzed": {
    event: "call.analyzed";
    orgId: string;
    occurredAt: string;
    sessionId: string;
    agentId: string | null;
    identifier: string | null;
    piiCollected: {
      id: string;
      ruleSlug: string;
      fieldKey: string | null;
      source: string;
      expiresAt: string;
      collected: true;
    }[];
    analysis: {
      summary: string | null;
      sentiment: "positive" | "neutral" | "negative" | null;
      sentimentScore: number | null;
      disposition: string | null;
      actionItems: string[];
      customData: Record<string, unknown>;
      evidence: Record<string, unknown>;
      qa: {
        key: string;
        met: boolean;
        evidence: string;
      }[];
      objections: unknown[];
      coaching: unknown[];
      hallucinations: unknown[];
      score: number | null;
      cx: {
        rating: unknown;
        friction: unknown[];
        highlights: unknown[];
      };
      topics: string[];
      keywords: string[];
      talkRatio: {
        agentWords: number;
        customerWords: number;
        agentTurns: number;
        customerTurns: number;
      };
      model: string;
    };
  };
  /** A message came in. */
  "whatsapp.message.received": {
    event: "whatsapp.message.received";
    orgId: string;
    occurredAt: string;
    channelId: string;
    channelPhone: string | null;
    threadId: string;
    messageId: string;
    wamid: string;
    from: string;
    contactName: string | null;
    type: string;
    body: string | null;
    content: unknown;
    media: unknown;
    timestamp: string;
    raw: unknown;
  };
  /** A message that was sent got further. */
  "whatsapp.message.status": {
    event: "whatsapp.message.status";
    orgId: string;
    occurredAt: string;
    channelId: string;
    channelPhone: string | null;
    wamid: string;
    status: string;
    recipient: string;
    timestamp: string;
    errors: unknown[] | null;
    pricing: unknown;
    conversation: unknown;
  };
  /** The provider says something about the account. */
  "whatsapp.account.health": {
    event: "whatsapp.account.health";
    orgId: string;
    occurredAt: string;
    wabaId: string;
    field: string;
    value: unknown;
  };
  /** An invoice is out. */
  "billing.invoice_issued": {
    event: "billing.invoice_issued";
    orgId: string;
    occurredAt: string;
    invoiceId: string;
    periodStart: string;
    periodEnd: string;
    totalBilled: string;
    currency: string;
    dueOn: string;
  };
  /** An invoice is not paid. Alert-worthy. */
  "billing.payment_overdue": {
    event: "billing.payment_overdue";
    orgId: string;
    occurredAt: string;
    invoiceId: string;
    periodStart: string;
    periodEnd: string;
    totalBilled: string;
    currency: string;
    dueOn: string;
  };
  /** The account is suspended. Alert-worthy. */
  "billing.account_suspended": {
    event: "billing.account_suspended";
    orgId: string;
    occurredAt: string;
    reason: string;
    graceDays: number;
  };
  /** A number renews soon; `atRisk` says whether the balance covers it. */
  "billing.number_renewal_due": {
    event: "billing.number_renewal_due";
    orgId: string;
    occurredAt: string;
    e164: string;
    renewsAt: string;
    rentUsd: string;
    shortfallUsd: string | null;
    atRisk: boolean;
  };
  /** A number is renewed. */
  "billing.number_renewed": {
    event: "billing.number_renewed";
    orgId: string;
    occurredAt: string;
    e164: string;
    rentUsd: string;
    period: string;
  };
  /** A number could not be renewed. Alert-worthy. */
  "billing.number_renewal_failed": {
    event: "billing.number_renewal_failed";
    orgId: string;
    occurredAt: string;
    e164: string;
    rentUsd: string;
    graceDays: number;
  };
  /** A number will be given up. */
  "billing.number_release_pending": {
    event: "billing.number_release_pending";
    orgId: string;
    occurredAt: string;
    e164: string;
    reason: string;
    afterSuspendDays: number;
  };
  /** A number is given up and may be somebody else's soon. Alert-worthy; branch on `reason`. */
  "billing.number_released_nonpayment":
    | {
        event: "billing.number_released_nonpayment";
        orgId: string;
        occurredAt: string;
        e164: string;
        reason: "renewal_unpaid";
        overdueDays: number;
        graceDays: number;
      }
    | {
        event: "billing.number_released_nonpayment";
        orgId: string;
        occurredAt: string;
        e164: string;
        reason: "postpaid_suspended";
        daysSuspended: number;
        afterSuspendDays: number;
      };
}
