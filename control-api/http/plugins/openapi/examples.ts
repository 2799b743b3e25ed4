/** Requests and answers to copy, by component name. A test validates each against its schema. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  ErrorBody: {
    success: false,
    error: "Invalid body: name is required.",
    code: "validation_failed",
    details: { fields: { name: "is required" } },
  },
  Register: { email: "ann@example.com", password: "correct horse battery", organizationName: "Example Inc." },
  Login: { email: "ann@example.com", password: "correct horse battery" },
  Lookup: { identifier: "+14155550123" },
  LoginOtp: { identifier: "ann@example.com" },
  OtpVerify: { requestId: "otp_0190f3", code: "123456" },
  CreateKey: { name: "Backend", role: "developer" },
  CreateAgent: {
    name: "Front desk",
    brain: { kind: "custom", url: "https://brain.example.com/turn" },
    firstResponse: "Hello, how can I help?",
  },
  InitWebCallBody: { agentId: "agt_0190f3", variables: { customer_name: "Ann" } },
  InitiateCall: { agentId: "agt_0190f3", to: "+14155550123", fromNumber: "+14155550100" },
  MintClientToken: { agentId: "agt_0190f3", variables: { customer_name: "Ann" } },
  ChatTurn: { agentId: "agt_0190f3", identifier: "user-42", input: "When do you open?" },
  CreateHook: { url: "https://example.com/hooks/parley", events: ["call.ended"] },
  CreateWebhook: { url: "https://example.com/hooks/parley", events: ["call.ended"] },
  Invite: { email: "bob@example.com", role: "developer" },
};
