import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import type { EndStatus } from "@parley/control-api/channels/carriers/carrier.ts";
import {
  type FakeAnswer,
  type FakeCall,
  FakeCarrier,
  type FakeCarrierOptions,
  type FakeProtocol,
  type FakeRequest,
  isRefused,
  type Moment,
  type SignedCallback,
} from "./fake-carrier.ts";

const keys = generateKeyPairSync("ed25519");
export const TELNYX_ACCOUNT = {
  apiKey: "KEYfake-telnyx",
  publicKey: Buffer.from(keys.publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("base64"),
  connectionId: "1494404757140276705",
};

const CAUSES: Readonly<Record<EndStatus, string>> = {
  completed: "normal_clearing",
  busy: "user_busy",
  "no-answer": "timeout",
  failed: "unspecified",
  canceled: "originator_cancel",
};

/** Telnyx's Call Control commands and webhooks. */
export function startFakeTelnyx(options: FakeCarrierOptions = {}): Promise<FakeCarrier> {
  const commands = new Map<string, string>();
  const protocol: FakeProtocol = {
    serve: (request, carrier) => serve(request, carrier, commands),
    callback: (call, moment) => {
      if (moment.type === "transferred" || moment.type === "transfer_failed")
        return toldOfTransfer(call, moment);
      const [type, fields] = wordsOf(call, moment);
      return type === undefined ? undefined : signed(call, type, fields);
    },
    inbound: (call) => signed(call, "call.initiated", { state: "parked" }),
  };
  return new FakeCarrier(protocol, options).start();
}

/** For the leg that the transfer created: its state identifies it. */
function toldOfTransfer(
  call: FakeCall,
  moment: Extract<Moment, { type: "transferred" | "transfer_failed" }>,
): SignedCallback | undefined {
  const { transfer } = call;
  if (!transfer) return undefined;
  const leg = { ...call, callSid: `v3:${randomUUID()}`, callbackUrl: transfer.statusUrl };
  const state = { client_state: transfer.state };
  return moment.type === "transferred"
    ? signed(leg, "call.answered", { ...state, state: "answered" })
    : signed(leg, "call.hangup", { ...state, state: "hangup", hangup_cause: CAUSES[moment.why] });
}

function wordsOf({ detection }: FakeCall, moment: Moment): [type: string | undefined, fields: object] {
  switch (moment.type) {
    case "ringing":
      return ["call.initiated", { state: "bridging" }];
    case "answered":
      return ["call.answered", { state: "answered" }];
    case "ended":
      return [
        "call.hangup",
        { state: "hangup", hangup_cause: CAUSES[moment.status], hangup_source: "callee" },
      ];
    case "whispered":
      return ["call.speak.ended", { status: "completed" }];
    case "bridged":
      return ["call.bridged", {}];
    case "transferred":
    case "transfer_failed":
      return [undefined, {}];
    case "beep":
      if (detection !== "detect_beep") return [undefined, {}];
      return ["call.machine.greeting.ended", { result: "beep_detected" }];
    default:
      if (detection === undefined) return [undefined, {}];
      return ["call.machine.detection.ended", { result: moment.type }];
  }
}

function signed(call: FakeCall, eventType: string, fields: object): SignedCallback {
  const payload = {
    call_control_id: call.callSid,
    call_leg_id: call.callSid,
    connection_id: TELNYX_ACCOUNT.connectionId,
    direction: call.direction === "inbound" ? "incoming" : "outgoing",
    from: call.from,
    to: call.to,
    ...(call.clientState === undefined ? {} : { client_state: call.clientState }),
    ...fields,
  };
  const occurredAt = new Date().toISOString();
  const body = JSON.stringify({
    data: { record_type: "event", event_type: eventType, id: randomUUID(), occurred_at: occurredAt, payload },
    meta: { attempt: 1, delivered_to: call.callbackUrl },
  });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  return {
    method: "POST",
    url: call.callbackUrl,
    headers: {
      "content-type": "application/json",
      "telnyx-timestamp": timestamp,
      "telnyx-signature-ed25519": sign(null, Buffer.from(`${timestamp}|${body}`), keys.privateKey).toString(
        "base64",
      ),
    },
    body,
  };
}

function serve(request: FakeRequest, carrier: FakeCarrier, commands: Map<string, string>): FakeAnswer {
  const { method, path, headers, body } = request;
  if (headers.authorization !== `Bearer ${TELNYX_ACCOUNT.apiKey}`) {
    return refusal(
      401,
      "10009",
      "Authentication failed",
      "The required authentication headers were either invalid or not included.",
    );
  }
  if (path.startsWith("/v2/call_control_applications/")) {
    return path.endsWith(`/${TELNYX_ACCOUNT.connectionId}`)
      ? { status: 200, body: { data: { id: TELNYX_ACCOUNT.connectionId, active: true } } }
      : refusal(404, "10005", "Resource not found", "The requested resource or URL could not be found.");
  }
  const fields = JSON.parse(body || "{}") as Record<string, string>;
  if (path === "/v2/calls" && method === "POST") return create(fields, carrier, commands);
  const [, callSid = "", action = ""] = /^\/v2\/calls\/([^/]+)\/actions\/(\w+)$/.exec(path) ?? [];
  const call = carrier.calls.get(decodeURIComponent(callSid));
  if (!call)
    return refusal(404, "10005", "Resource not found", "The requested resource or URL could not be found.");
  if (call.state === "ended")
    return refusal(
      422,
      "90018",
      "Call has already ended",
      "This call is no longer active and can't receive commands.",
    );
  act(action, fields, call, carrier);
  return { status: 200, body: { data: { result: "ok" } } };
}

function act(action: string, fields: Record<string, string>, call: FakeCall, carrier: FakeCarrier): void {
  if (action === "hangup" || action === "reject") carrier.end(call);
  if (action === "transfer") {
    const url = fields.webhook_url ?? "";
    const state = fields.target_leg_client_state ?? "";
    Object.assign(call, { transferredTo: fields.to, transfer: { actionUrl: url, statusUrl: url, state } });
  }
  if (action === "speak") call.whisper = { text: fields.payload ?? "", nextUrl: call.callbackUrl };
  if (action === "bridge") {
    const other = carrier.calls.get(fields.call_control_id ?? "");
    for (const one of [call, other]) if (one) one.room = fields.command_id?.replace("bridge-", "");
  }
  if (action === "streaming_stop") call.mediaUrl = undefined;
  if (action === "answer")
    Object.assign(call, { state: "answered", mediaUrl: fields.stream_url, clientState: fields.client_state });
}

function create(
  fields: Record<string, string>,
  carrier: FakeCarrier,
  commands: Map<string, string>,
): FakeAnswer {
  const { to = "", from = "", connection_id: connectionId, command_id: commandId = randomUUID() } = fields;
  if (connectionId !== TELNYX_ACCOUNT.connectionId)
    return refusal(422, "10015", "Invalid connection", "The connection_id is invalid.");
  if (isRefused(to))
    return refusal(
      422,
      "10016",
      "Phone number must be in +E164 format",
      "The 'to' parameter must be in +E164 format.",
    );
  const callSid = commands.get(commandId) ?? `v3:${randomUUID()}`;
  if (!commands.has(commandId)) {
    commands.set(commandId, callSid);
    carrier.add({
      callSid,
      direction: "outbound",
      to,
      from,
      callbackUrl: fields.webhook_url ?? "",
      ringTimeoutSecs: Number(fields.timeout_secs),
      detection: fields.answering_machine_detection,
      state: "queued",
      mediaUrl: fields.stream_url,
    });
  }
  return { status: 200, body: { data: { record_type: "call", call_control_id: callSid, is_alive: true } } };
}

function refusal(status: number, code: string, title: string, detail: string): FakeAnswer {
  return { status, body: { errors: [{ code, title, detail }] } };
}
