type Json = Readonly<Record<string, unknown>>;

/** Statuses of one message in the order in which they come, and those of which an event tells. */
interface StatusCase {
  readonly name: string;
  /** Without id; the tests add it, and a time and recipient where they are missing. */
  readonly statuses: readonly Json[];
  /** What the events have that is not usual, in order. */
  readonly told: readonly Json[];
}

const pricing = { billable: true, pricing_model: "PMP", type: "regular", category: "marketing" };
const conversation = {
  id: "6ceb9d929c9bdc4f90967a32f8639b42",
  expiration_timestamp: "1795259730",
  origin: { type: "referral_conversion" },
};
const refused = {
  code: 131_047,
  title: "Re-engagement message",
  message: "Re-engagement message",
  error_data: { details: "Message failed to send because more than 24 hours have passed." },
  href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
};

export const STATUS_CASES: readonly StatusCase[] = [
  {
    name: "sent with its price, then read",
    statuses: [
      { status: "sent", pricing, conversation },
      { status: "delivered", pricing },
      { status: "read" },
    ],
    told: [{ status: "sent", pricing, conversation }, { status: "delivered", pricing }, { status: "read" }],
  },
  {
    name: "out of order and repeated",
    statuses: [
      { status: "read" },
      { status: "sent" },
      { status: "delivered" },
      { status: "read" },
      { status: "failed", errors: [refused] },
    ],
    told: [{ status: "read" }],
  },
  { name: "delivered without sent", statuses: [{ status: "delivered" }], told: [{ status: "delivered" }] },
  {
    name: "played, after which nothing is news",
    statuses: [{ status: "played" }, { status: "read" }, { status: "played" }],
    told: [{ status: "played" }],
  },
  {
    name: "failed, with the errors as they came",
    statuses: [{ status: "failed", errors: [refused, "odd"] }, { status: "delivered" }],
    told: [{ status: "failed", errors: [refused] }],
  },
  {
    name: "failed without a reason",
    statuses: [{ status: "failed", errors: "none" }],
    told: [{ status: "failed", errors: null }],
  },
  {
    name: "of a contact with a user name only",
    statuses: [{ status: "sent", recipient_id: undefined, recipient_user_id: "NL.99" }],
    told: [{ status: "sent", recipient: "NL.99" }],
  },
  {
    name: "with a blank recipient",
    statuses: [{ status: "sent", recipient_id: " ", recipient_user_id: "NL.98" }],
    told: [{ status: "sent", recipient: "NL.98" }],
  },
  {
    name: "with punctuation in the recipient",
    statuses: [{ status: "sent", recipient_id: "+31 6-1234 5678" }],
    told: [{ status: "sent", recipient: "+31612345678" }],
  },
  {
    name: "with a time that is a number",
    statuses: [{ status: "sent", timestamp: 1_795_173_330 }],
    told: [{ status: "sent", timestamp: "2026-11-20T11:15:30.000Z" }],
  },
  { name: "of a name that there is not", statuses: [{ status: "deleted" }], told: [] },
  {
    name: "without an id, or a status that is text",
    statuses: [{ id: undefined, status: "sent" }, { id: 7, status: "sent" }, { status: 3 }, { status: "" }],
    told: [],
  },
];

/** Changes of account fields in Meta's form. */
export const HEALTH_CASES: readonly { readonly field: string; readonly value?: unknown }[] = [
  { field: "account_update", value: { event: "ACCOUNT_DELETED", time: 1_795_173_330 } },
  {
    field: "account_update",
    value: {
      event: "ACCOUNT_RESTRICTION",
      restriction_info: [
        { restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING", expiration: 1_795_259_730 },
      ],
    },
  },
  {
    field: "account_alerts",
    value: {
      entity_type: "WABA",
      entity_id: 1,
      alert_info: { alert_severity: "CRITICAL", alert_type: "OBA" },
    },
  },
  {
    field: "phone_number_quality_update",
    value: { display_phone_number: "15550783881", event: "FLAGGED", current_limit: "TIER_10K" },
  },
  {
    field: "message_template_status_update",
    value: { event: "REJECTED", message_template_id: 564_750_795_574_598, reason: "INVALID_FORMAT" },
  },
  { field: "account_review_update", value: { decision: "APPROVED" } },
  { field: "health", value: { health_status: "AVAILABLE" } },
  { field: "health", value: { health_status: { can_send_message: "LIMITED", entities: [{ id: "1" }] } } },
  { field: "something_new", value: ["as", { it: "came" }, null] },
  { field: "something_newer", value: "text" },
  { field: "nothing_at_all" },
];
