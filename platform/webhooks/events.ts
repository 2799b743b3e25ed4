/**
 * The payload of each webhook event, by its name. Made from the catalog of events by
 * `node scripts/update-webhooks.ts`: change that, not this.
 */
export interface WebhookEvents {
  /** The call or chat is live. Sent once; never for a call that did not connect. */
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
    /** legacy: the agent's own number, empty where there is none; use `fromNumber` and `toNumber` */
    from: string;
  };
  /** The call or chat ended. Also sent for calls that never connected. */
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
    /** whole seconds from `startTime` to the end, ringing included where it never connected; not what is billed */
    durationSecs: number;
    /** when it ended, RFC 3339 with 0 to 9 fractional digits */
    endTime: string;
    /** everything that was said, by both sides */
    messageCount: number;
    /** who answered, as far as that was known then; null when it was not looked for, or not known yet. Do not take voicemail from it alone: see `call.machine_detected` */
    answeredBy: string | null;
    /** why it ended; null when one side simply hung up */
    endReason: string | null;
    /** legacy: the same as `from` of `call.started` */
    fromOrTo: string;
    /** only with `includeRecording`, and when there is one by then */
    recording?:
      | {
          /** the recording */
          id: string;
          /** where it can be fetched for an hour, without a key */
          url: string;
          /** until when */
          expiresAt: string;
        }
      | undefined;
    /** only with `includeTranscript`, and when anything was said; the last 500 messages, oldest first */
    transcript?:
      | {
          /** who said it */
          role: "user" | "assistant";
          /** what was said, masked by the PII policy; at most 8,000 bytes of UTF-8 */
          text: string;
          /** when */
          at: string;
        }[]
      | undefined;
  };
  /** An answering machine, a phone menu or a call screener answered. */
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
    /** what answered */
    answeredBy:
      | "machine_start"
      | "machine_end_beep"
      | "machine_end_silence"
      | "machine_end_other"
      | "machine"
      | "machine_text_detect";
    /** what was done */
    action: "ivr_hangup" | "call_screen" | "amd_hangup" | "voicemail_drop";
    /** true for `call_screen` only */
    callContinues: boolean;
    /** when that was settled, close to `occurredAt` */
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
    /** the key, letters in capitals; an event each. Not redacted */
    digit: "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "#" | "*" | "A" | "B" | "C" | "D";
  };
  /** One side said something. */
  "transcript.ready": {
    event: "transcript.ready";
    orgId: string;
    occurredAt: string;
    sessionId: string;
    agentId: string | null;
    identifier: string | null;
    /** who said it */
    role: "user" | "assistant";
    /** what was said, masked by the PII policy; keys that were pressed may be part of it */
    text: string;
  };
  /** The agent called a tool. */
  "tool.invoked": {
    event: "tool.invoked";
    orgId: string;
    occurredAt: string;
    sessionId: string;
    agentId: string | null;
    identifier: string | null;
    /** the tool */
    name: string;
    /** as the model gave them; a string when that was no JSON. What the tool declares as not to be shown is blank, texts are masked */
    arguments: Record<string, unknown> | string | null;
    /** what it gave, up to 1,048,576 bytes; an object with `error` when it failed. Masked like `arguments` */
    result: unknown;
    /** what came of it */
    status: "success" | "error" | "not_found" | "abandoned" | `confirmation_${string}`;
    /** how long it took, in milliseconds */
    latencyMs: number;
  };
  /** The recording is ready. */
  "recording.ready": {
    event: "recording.ready";
    orgId: string;
    occurredAt: string;
    sessionId: string | null;
    agentId: string | null;
    identifier?: string | null | undefined;
    /** the recording */
    recordingId: string;
    /** how long it is; null when that is not known */
    durationSecs: number | null;
    /** where it is; only `id` when no address could be signed, so look whether there is a `url` */
    recording: {
      /** the recording */
      id: string;
      /** where it can be fetched for an hour, without a key */
      url?: string | undefined;
      /** until when */
      expiresAt?: string | undefined;
    };
  };
  /** The analysis of the call is ready. */
  "call.analyzed": {
    event: "call.analyzed";
    orgId: string;
    occurredAt: string;
    sessionId: string;
    agentId: string | null;
    identifier: string | null;
    /** personal data that was put into the vault; never the values */
    piiCollected: {
      /** of what was kept */
      id: string;
      /** the rule of the PII policy */
      ruleSlug: string;
      /** the custom field it belongs to */
      fieldKey: string | null;
      /** where it was found */
      source: string;
      /** when it is deleted */
      expiresAt: string;
      /** always true */
      collected: true;
    }[];
    /** all 17 keys are always there; what is not set up is empty */
    analysis: {
      /** the call in a few sentences */
      summary: string | null;
      /** how the caller was */
      sentiment: "positive" | "neutral" | "negative" | null;
      /** the same from -1 to 1 */
      sentimentScore: number | null;
      /** what came of the call */
      disposition: string | null;
      /** what is to be done */
      actionItems: string[];
      /** by the `key` of each custom field; a key may be missing, and a value may have another type than the field */
      customData: Record<string, unknown>;
      /** by the same keys: where the transcript says so */
      evidence: Record<string, unknown>;
      /** an entry for each criterion; empty without a rubric */
      qa: {
        /** the criterion */
        key: string;
        /** whether it was met */
        met: boolean;
        /** where the transcript says so */
        evidence: string;
      }[];
      /** what the caller objected to */
      objections: unknown[];
      /** what the agent could do better */
      coaching: unknown[];
      /** what the agent made up */
      hallucinations: unknown[];
      /** how good the call was, 0 to 100 */
      score: number | null;
      /** the caller's experience */
      cx: {
        /** as the model gave it */
        rating: unknown;
        /** what was tiresome */
        friction: unknown[];
        /** what went well */
        highlights: unknown[];
      };
      /** what it was about */
      topics: string[];
      /** words that stood out */
      keywords: string[];
      /** who spoke how much */
      talkRatio: {
        /** words of the agent */
        agentWords: number;
        /** words of the caller */
        customerWords: number;
        /** turns of the agent */
        agentTurns: number;
        /** turns of the caller */
        customerTurns: number;
      };
      /** the model that analyzed it; `parley-local` is Parley's own analyzer */
      model: string;
    };
  };
  /** A message was received. */
  "whatsapp.message.received": {
    event: "whatsapp.message.received";
    orgId: string;
    occurredAt: string;
    /** the channel */
    channelId: string;
    /** its number; null for a channel that was brought along */
    channelPhone: string | null;
    /** the conversation */
    threadId: string;
    /** the message, here */
    messageId: string;
    /** the message, at WhatsApp */
    wamid: string;
    /** who sent it: + and digits */
    from: string;
    /** the name they go by */
    contactName: string | null;
    /** WhatsApp's type of message, such as text or image */
    type: string;
    /** its text */
    body: string | null;
    /** what is in it besides text; may be null */
    content: unknown;
    /** always there, null for text; a `signedUrl` in it is good for an hour */
    media: unknown;
    /** when it was sent */
    timestamp: string;
    /** the message as WhatsApp sent it */
    raw: unknown;
  };
  /** The status of a sent message changed. */
  "whatsapp.message.status": {
    event: "whatsapp.message.status";
    orgId: string;
    occurredAt: string;
    /** the channel */
    channelId: string;
    /** its number; null for a channel that was brought along */
    channelPhone: string | null;
    /** the message, at WhatsApp */
    wamid: string;
    /** WhatsApp's status, such as sent, delivered, read or failed; it only advances */
    status: string;
    /** who gets it: + and digits */
    recipient: string;
    /** when WhatsApp says it was so, which is not `occurredAt` */
    timestamp: string;
    /** what went wrong, as WhatsApp says */
    errors: unknown[] | null;
    /** as WhatsApp sent it: `category`, `billable`, `type` */
    pricing: unknown;
    /** as WhatsApp sent it: `id`, `origin.type` */
    conversation: unknown;
  };
  /** The provider reported on the account. */
  "whatsapp.account.health": {
    event: "whatsapp.account.health";
    orgId: string;
    occurredAt: string;
    /** the WhatsApp business account */
    wabaId: string;
    /** WhatsApp's name of what changed */
    field: string;
    /** as WhatsApp sent it; its shape varies */
    value: unknown;
  };
  /** An invoice was issued. */
  "billing.invoice_issued": {
    event: "billing.invoice_issued";
    orgId: string;
    occurredAt: string;
    /** the invoice */
    invoiceId: string;
    /** the first day it is for */
    periodStart: string;
    /** the last day it is for */
    periodEnd: string;
    /** the amount, a decimal as text */
    totalBilled: string;
    /** of the amount */
    currency: string;
    /** when it is due, in words for people; do not parse it */
    dueOn: string;
  };
  /** An invoice is overdue. Alert-worthy. */
  "billing.payment_overdue": {
    event: "billing.payment_overdue";
    orgId: string;
    occurredAt: string;
    /** the invoice */
    invoiceId: string;
    /** the first day it is for */
    periodStart: string;
    /** the last day it is for */
    periodEnd: string;
    /** the amount, a decimal as text */
    totalBilled: string;
    /** of the amount */
    currency: string;
    /** when it is due, in words for people; do not parse it */
    dueOn: string;
  };
  /** The account is suspended. Alert-worthy. */
  "billing.account_suspended": {
    event: "billing.account_suspended";
    orgId: string;
    occurredAt: string;
    /** why */
    reason: string;
    /** days until there are consequences */
    graceDays: number;
  };
  /** A number renews soon; `atRisk` says whether the balance covers it. */
  "billing.number_renewal_due": {
    event: "billing.number_renewal_due";
    orgId: string;
    occurredAt: string;
    /** the number, with + and its country */
    e164: string;
    /** when it renews, UTC */
    renewsAt: string;
    /** what it costs, a decimal as text */
    rentUsd: string;
    /** what the balance lacks; null when it lacks nothing */
    shortfallUsd: string | null;
    /** whether the balance does not cover it; look at this, not at the shortfall */
    atRisk: boolean;
  };
  /** A number was renewed. */
  "billing.number_renewed": {
    event: "billing.number_renewed";
    orgId: string;
    occurredAt: string;
    /** the number, with + and its country */
    e164: string;
    /** what it costs, a decimal as text */
    rentUsd: string;
    /** the day from which it is renewed */
    period: string;
  };
  /** A number could not be renewed. Alert-worthy. */
  "billing.number_renewal_failed": {
    event: "billing.number_renewal_failed";
    orgId: string;
    occurredAt: string;
    /** the number, with + and its country */
    e164: string;
    /** what it costs, a decimal as text */
    rentUsd: string;
    /** days until there are consequences */
    graceDays: number;
  };
  /** A number will be released. */
  "billing.number_release_pending": {
    event: "billing.number_release_pending";
    orgId: string;
    occurredAt: string;
    /** the number, with + and its country */
    e164: string;
    /** why */
    reason: string;
    /** after how many days of suspension numbers are given up */
    afterSuspendDays: number;
  };
  /** A number was released and may be reissued to others. Alert-worthy; branch on `reason`. */
  "billing.number_released_nonpayment":
    | {
        event: "billing.number_released_nonpayment";
        /** the organization */
        orgId: string;
        /** when it happened: RFC 3339, UTC, exactly three fractional digits; order by it, and refuse what is too old for you */
        occurredAt: string;
        /** the number, with + and its country */
        e164: string;
        /** why, and which fields there are */
        reason: "renewal_unpaid";
        /** how long the renewal was overdue */
        overdueDays: number;
        /** days until there are consequences */
        graceDays: number;
      }
    | {
        event: "billing.number_released_nonpayment";
        /** the organization */
        orgId: string;
        /** when it happened: RFC 3339, UTC, exactly three fractional digits; order by it, and refuse what is too old for you */
        occurredAt: string;
        /** the number, with + and its country */
        e164: string;
        /** why, and which fields there are */
        reason: "postpaid_suspended";
        /** how long the account was suspended */
        daysSuspended: number;
        /** after how many days of suspension numbers are given up */
        afterSuspendDays: number;
      };
}
