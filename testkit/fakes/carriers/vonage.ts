import { createHash, generateKeyPairSync, randomUUID } from "node:crypto";
import type { EndStatus } from "@parley/control-api/channels/carriers/carrier.ts";
import { jwtVerify, SignJWT } from "jose";
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

const keys = generateKeyPairSync("rsa", { modulusLength: 2_048 });
export const VONAGE_ACCOUNT = {
  applicationId: "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab",
  privateKey: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  apiKey: "fake1234",
  signatureSecret: "fake-vonage-signature-secret-of-enough-length",
};

const ENDS: Readonly<Record<EndStatus, string>> = {
  completed: "completed",
  busy: "busy",
  "no-answer": "unanswered",
  failed: "failed",
  canceled: "cancelled",
};

/** Vonage's Voice API and its webhooks, signed as JWTs. */
export function startFakeVonage(options: FakeCarrierOptions = {}): Promise<FakeCarrier> {
  const protocol: FakeProtocol = {
    serve,
    callback: async (call, moment) => {
      const told = await toldOfTransfer(call, moment);
      if (told) return told;
      const fields = fieldsOf(call, moment);
      return (
        fields && signed(call, { timestamp: new Date().toISOString(), direction: call.direction, ...fields })
      );
    },
    inbound: (call) => signed(call, {}),
    obey: (answer, call) => obeyNcco(answer === "" ? [] : JSON.parse(answer), call),
  };
  return new FakeCarrier(protocol, options).start();
}

const LEG_STATUSES = { busy: "busy", "no-answer": "timeout", failed: "failed" } as const;

/** A leg created by `connect` reports its own events; a `notify` reports what its NCCO specified. */
async function toldOfTransfer(call: FakeCall, moment: Moment): Promise<SignedCallback | undefined> {
  const { transfer, whisper } = call;
  const timestamp = new Date().toISOString();
  if (moment.type === "whispered")
    return whisper && signed({ ...call, callbackUrl: whisper.nextUrl }, { timestamp, payload: PAYLOAD });
  if (!transfer || (moment.type !== "transferred" && moment.type !== "transfer_failed")) return undefined;
  const leg = { ...call, callSid: randomUUID(), callbackUrl: transfer.actionUrl };
  const status = moment.type === "transferred" ? "answered" : LEG_STATUSES[moment.why];
  return signed(leg, { timestamp, status, direction: "outbound" });
}

const PAYLOAD = { parley: "briefed" };

function fieldsOf({ detection }: FakeCall, moment: Moment): object | undefined {
  switch (moment.type) {
    case "ended":
      return { status: ENDS[moment.status] };
    case "beep":
      return detection === "default" ? { status: "machine", sub_state: "beep_start" } : undefined;
    case "transferred":
    case "transfer_failed":
    case "whispered":
    case "bridged":
      return undefined;
    case "human":
    case "machine":
      return detection === undefined ? undefined : { status: moment.type };
    default:
      return { status: moment.type };
  }
}

async function signed(call: FakeCall, fields: object): Promise<SignedCallback> {
  const { callSid: uuid, from, to, callbackUrl: url } = call;
  const body = JSON.stringify({ uuid, conversation_uuid: `CON-${uuid}`, from, to, ...fields });
  const claims = {
    api_key: VONAGE_ACCOUNT.apiKey,
    application_id: VONAGE_ACCOUNT.applicationId,
    payload_hash: createHash("sha256").update(body).digest("hex"),
  };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer("Vonage")
    .setIssuedAt()
    .setJti(randomUUID())
    .sign(Buffer.from(VONAGE_ACCOUNT.signatureSecret));
  return {
    method: "POST",
    url,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body,
  };
}

async function serve(
  { method, path, headers, body }: FakeRequest,
  carrier: FakeCarrier,
): Promise<FakeAnswer> {
  if (!(await isOurApplication(headers.authorization ?? ""))) {
    return refusal(401, "Unauthorized", "You provided an invalid token.");
  }
  if (path.startsWith("/v1/calls?")) return { status: 200, body: { count: 0, _embedded: { calls: [] } } };
  const fields = JSON.parse(body || "{}");
  if (path === "/v1/calls" && method === "POST") return create(fields, carrier);
  const [, uuid = ""] = /^\/v1\/calls\/([^/]+)$/.exec(path) ?? [];
  const call = carrier.calls.get(uuid);
  if (!call || call.state === "ended") return refusal(404, "Not Found", "Call not found or not in progress.");
  if (fields.action === "hangup") carrier.end(call);
  if (fields.action === "transfer") obeyNcco(fields.destination.ncco, call);
  return { status: 204 };
}

async function isOurApplication(authorization: string): Promise<boolean> {
  try {
    const { payload } = await jwtVerify(authorization.replace("Bearer ", ""), keys.publicKey, {
      algorithms: ["RS256"],
      requiredClaims: ["iat", "exp", "jti", "application_id"],
    });
    return payload.application_id === VONAGE_ACCOUNT.applicationId;
  } catch {
    return false;
  }
}

interface DialFields {
  readonly to?: { readonly number: string }[];
  readonly from?: { readonly number: string };
  readonly ncco?: Ncco;
  readonly event_url?: string[];
  readonly ringing_timer?: number;
  readonly advanced_machine_detection?: { readonly mode: string; readonly behavior?: string };
}

function create(fields: DialFields, carrier: FakeCarrier): FakeAnswer {
  const [to, from] = [fields.to?.[0]?.number ?? "", fields.from?.number ?? ""];
  if (isRefused(to) || to.startsWith("+")) {
    return refusal(400, "Bad Request", "The value of to[0].number is not a valid phone number.");
  }
  const callSid = randomUUID();
  const call: FakeCall = {
    callSid,
    direction: "outbound",
    to,
    from,
    callbackUrl: fields.event_url?.[0] ?? "",
    ringTimeoutSecs: fields.ringing_timer,
    detection: fields.advanced_machine_detection?.mode,
    dropsMachines: fields.advanced_machine_detection?.behavior === "hangup",
    state: "queued",
  };
  obeyNcco(fields.ncco ?? [], call);
  carrier.add(call);
  return {
    status: 201,
    body: { uuid: callSid, status: "started", direction: "outbound", conversation_uuid: `CON-${callSid}` },
  };
}

type Ncco = readonly {
  readonly action?: string;
  readonly endpoint?: readonly { uri?: string; number?: string }[];
  readonly eventUrl?: readonly string[];
  readonly text?: string;
  readonly name?: string;
}[];

function obeyNcco(ncco: Ncco, call: FakeCall): void {
  const [endpoint] = ncco[0]?.endpoint ?? [];
  if (endpoint?.uri !== undefined) call.mediaUrl = endpoint.uri;
  const url = ncco.at(-1)?.eventUrl?.[0] ?? "";
  if (endpoint?.number !== undefined) {
    const transfer = { actionUrl: url, statusUrl: url };
    Object.assign(call, { transferredTo: `+${endpoint.number}`, mediaUrl: undefined, transfer });
  }
  const [first] = ncco;
  if (first?.action === "talk") call.whisper = { text: first.text ?? "", nextUrl: url };
  if (first?.action === "conversation") Object.assign(call, { room: first.name, mediaUrl: undefined });
}

function refusal(status: number, title: string, detail: string): FakeAnswer {
  return { status, body: { type: "https://developer.vonage.com/api-errors", title, detail } };
}
