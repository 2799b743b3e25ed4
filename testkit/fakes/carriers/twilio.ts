import { createHmac, randomBytes } from "node:crypto";
import {
  type Addresses,
  addressFor,
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

export const TWILIO_ACCOUNT = { accountSid: `AC${"0f".repeat(16)}`, authToken: "fake-twilio-token" };

const ACCOUNT_PATH = `/2010-04-01/Accounts/${TWILIO_ACCOUNT.accountSid}`;
const STATUSES = { ringing: "ringing", answered: "in-progress" } as const;
const VERDICTS = { human: "human", machine: "machine_start", beep: "machine_end_beep" } as const;

/** Twilio's Calls resource, its status callbacks and its machine detection. */
export function startFakeTwilio(options: FakeCarrierOptions = {}): Promise<FakeCarrier> {
  return new FakeCarrier(createProtocol(), options).start();
}

function createProtocol(): FakeProtocol {
  let sequence = 0;
  const common = (call: FakeCall) => ({
    CallSid: call.callSid,
    AccountSid: TWILIO_ACCOUNT.accountSid,
    From: call.from,
    To: call.to,
    Direction: call.direction === "inbound" ? "inbound" : "outbound-api",
    ApiVersion: "2010-04-01",
  });
  return {
    serve,
    callback: (call, moment) => {
      const told = toldOfTransfer(call, moment, common(call));
      if (told) return told;
      const verdict = verdictOf(call, moment);
      if (verdict !== undefined) {
        const { callSid: CallSid } = call;
        return signedTo(addressFor(call, "machine"), {
          CallSid,
          AccountSid: TWILIO_ACCOUNT.accountSid,
          AnsweredBy: verdict,
        });
      }
      const status = moment.type === "ended" ? moment.status : STATUSES[moment.type as keyof typeof STATUSES];
      if (status === undefined) return undefined;
      sequence += 1;
      return signedTo(addressFor(call, moment.type as keyof Addresses), {
        ...common(call),
        CallStatus: status,
        CallbackSource: "call-progress-events",
        SequenceNumber: String(sequence),
        Timestamp: new Date().toUTCString().replace("GMT", "+0000"),
      });
    },
    inbound: (call) => signed(call.callbackUrl, { ...common(call), CallStatus: "ringing" }),
    obey: (answer, call) => obeyTwiml(answer, call),
  };
}

const DIAL_STATUSES = { busy: "busy", "no-answer": "no-answer", failed: "failed" } as const;

/** The dialing call asks about a dial's end; its answer is reported for the dialed leg. */
function toldOfTransfer(
  { callSid, transfer, whisper }: FakeCall,
  moment: Moment,
  common: Record<string, string>,
): SignedCallback | undefined {
  if (moment.type === "whispered")
    return whisper && signed(whisper.nextUrl, { ...common, CallStatus: "in-progress" });
  if (!transfer) return undefined;
  if (moment.type === "transfer_failed")
    return signed(transfer.actionUrl, {
      ...common,
      CallStatus: "in-progress",
      DialCallStatus: DIAL_STATUSES[moment.why],
      DialCallSid: `CA${"1".repeat(32)}`,
      DialBridged: "false",
    });
  if (moment.type !== "transferred") return undefined;
  return signed(transfer.statusUrl, {
    ...common,
    CallSid: `CA${randomBytes(16).toString("hex")}`,
    ParentCallSid: callSid,
    CallStatus: "in-progress",
    CallbackSource: "call-progress-events",
    SequenceNumber: "0",
    Timestamp: new Date().toUTCString().replace("GMT", "+0000"),
  });
}

function verdictOf({ detection }: FakeCall, { type }: Moment): string | undefined {
  if (type === "beep") return detection === "DetectMessageEnd" ? VERDICTS.beep : undefined;
  if (type === "human" || type === "machine") return detection === undefined ? undefined : VERDICTS[type];
  return undefined;
}

function signedTo(url: string | undefined, fields: Record<string, string>): SignedCallback | undefined {
  return url === undefined ? undefined : signed(url, fields);
}

function signed(url: string, fields: Record<string, string>): SignedCallback {
  const text =
    url +
    Object.entries(fields)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flat()
      .join("");
  return {
    method: "POST",
    url,
    headers: {
      "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
      "x-twilio-signature": createHmac("sha1", TWILIO_ACCOUNT.authToken).update(text).digest("base64"),
    },
    body: new URLSearchParams(fields).toString(),
  };
}

function serve({ method, path, headers, body }: FakeRequest, carrier: FakeCarrier): FakeAnswer {
  const { accountSid, authToken } = TWILIO_ACCOUNT;
  const basic = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`;
  if (headers.authorization !== basic) return refusal(401, 20_003, "Authenticate");
  if (path === `${ACCOUNT_PATH}.json`) return { status: 200, body: { sid: accountSid, status: "active" } };
  const form = new URLSearchParams(body);
  if (path === `${ACCOUNT_PATH}/Calls.json` && method === "POST") return create(form, carrier);
  const callSid = /\/Calls\/(\w+)\.json$/.exec(path)?.[1] ?? "";
  const call = carrier.calls.get(callSid);
  if (!call) return refusal(404, 20_404, `The requested resource ${path} was not found`);
  if (call.state === "ended")
    return refusal(400, 21_220, "Unable to update record. Call is not in-progress. Cannot redirect.");
  if (form.get("Status") === "completed") carrier.end(call);
  obeyTwiml(form.get("Twiml") ?? "", call);
  return { status: 200, body: { sid: callSid, status: call.state } };
}

/** Twilio reports the requested progress, by POST unless told otherwise; by default, a call's end. */
function addressesIn(form: URLSearchParams): Addresses {
  const address = (name: string): string | undefined =>
    (form.get(`${name}Method`) ?? "POST") === "POST" ? (form.get(name) ?? undefined) : undefined;
  const events = form.getAll("StatusCallbackEvent");
  const progress = (event: string) =>
    events.includes(event) || (events.length === 0 && event === "completed")
      ? address("StatusCallback")
      : undefined;
  return {
    ringing: progress("ringing"),
    answered: progress("answered"),
    ended: progress("completed"),
    machine: address("AsyncAmdStatusCallback"),
  };
}

function create(form: URLSearchParams, carrier: FakeCarrier): FakeAnswer {
  const [to, from, twiml, callbackUrl] = ["To", "From", "Twiml", "StatusCallback"].map(
    (name) => form.get(name) ?? "",
  );
  if (isRefused(to ?? ""))
    return refusal(400, 21_211, `The phone number you are attempting to call, ${to}, is not valid.`);
  if (isRefused(from ?? ""))
    return refusal(400, 21_210, `The source phone number provided, ${from}, is not yet verified.`);
  const call: FakeCall = {
    callSid: `CA${randomBytes(16).toString("hex")}`,
    direction: "outbound",
    to: to ?? "",
    from: from ?? "",
    callbackUrl: callbackUrl ?? "",
    addresses: addressesIn(form),
    ringTimeoutSecs: Number(form.get("Timeout")),
    detection: form.get("AsyncAmd") === "true" ? (form.get("MachineDetection") ?? undefined) : undefined,
    state: "queued",
  };
  obeyTwiml(twiml ?? "", call);
  carrier.add(call);
  return { status: 201, body: { sid: call.callSid, status: "queued" } };
}

function obeyTwiml(twiml: string, call: FakeCall): void {
  const mediaUrl = /<Connect><Stream url="([^"]+)"/.exec(twiml)?.[1];
  if (mediaUrl !== undefined) call.mediaUrl = unescaped(mediaUrl);
  const dial =
    /<Dial callerId="[^"]*" timeout="\d+" action="([^"]+)" method="POST"><Number statusCallback="([^"]+)" statusCallbackEvent="answered" statusCallbackMethod="POST">([^<]+)/;
  const [, actionUrl, statusUrl, number] = dial.exec(twiml)?.map(unescaped) ?? [];
  if (actionUrl !== undefined && statusUrl !== undefined)
    Object.assign(call, {
      transferredTo: number,
      mediaUrl: undefined,
      transfer: { actionUrl, statusUrl },
    });
  const [, text, nextUrl] =
    /<Say>([^<]+)<\/Say><Redirect method="POST">([^<]+)/.exec(twiml)?.map(unescaped) ?? [];
  if (text !== undefined && nextUrl !== undefined) call.whisper = { text, nextUrl };
  const room = /<Conference [^>]+>([^<]+)/.exec(twiml)?.[1];
  if (room !== undefined) Object.assign(call, { room, mediaUrl: undefined });
}

function unescaped(text: string): string {
  return text.replaceAll("&apos;", "'").replaceAll("&amp;", "&");
}

function refusal(status: number, code: number, message: string): FakeAnswer {
  return { status, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status } };
}
