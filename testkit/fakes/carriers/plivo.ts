import { createHmac, randomInt, randomUUID } from "node:crypto";
import type { EndStatus } from "@parley/control-api/channels/carriers/carrier.ts";
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

export const PLIVO_ACCOUNT = { authId: "MAFAKEFAKEFAKEFAKEFA", authToken: "fake-plivo-token" };

const ACCOUNT_PATH = `/v1/Account/${PLIVO_ACCOUNT.authId}`;
const ENDS: Readonly<Record<EndStatus, [status: string, cause: string]>> = {
  completed: ["completed", "NORMAL_CLEARING"],
  busy: ["busy", "USER_BUSY"],
  "no-answer": ["no-answer", "NO_ANSWER"],
  failed: ["failed", "UNALLOCATED_NUMBER"],
  canceled: ["cancel", "ORIGINATOR_CANCEL"],
};

/** Plivo's Call resource, and the addresses it requests and notifies. */
export function startFakePlivo(options: FakeCarrierOptions = {}): Promise<FakeCarrier> {
  const protocol: FakeProtocol = {
    serve,
    callback: (call, moment) => {
      const told = toldOfTransfer(call, moment);
      if (told) return told;
      const fields = fieldsOf(call, moment);
      const url = addressFor(call, toldAs(moment));
      return fields && url !== undefined ? signed(url, { ...common(call), ...fields }) : undefined;
    },
    inbound: (call) =>
      signed(call.callbackUrl, { ...common(call), Event: "StartApp", CallStatus: "ringing" }),
    obey,
  };
  return new FakeCarrier(protocol, options).start();
}

function common(call: FakeCall): Record<string, string> {
  return {
    CallUUID: call.callSid,
    From: call.from,
    To: call.to,
    Direction: call.direction,
    ...(call.direction === "outbound" ? { RequestUUID: call.callSid } : {}),
  };
}

const DIAL_STATUSES = { busy: "busy", "no-answer": "timeout", failed: "failed" } as const;

function toldOfTransfer(call: FakeCall, moment: Moment): SignedCallback | undefined {
  const { transfer, whisper } = call;
  if (moment.type === "whispered")
    return whisper && signed(whisper.nextUrl, { ...common(call), Event: "Redirect" });
  if (!transfer) return undefined;
  const legs = { DialALegUUID: call.callSid, DialBLegUUID: randomUUID() };
  if (moment.type === "transfer_failed")
    return signed(transfer.actionUrl, {
      ...common(call),
      ...legs,
      Event: "Redirect",
      DialStatus: DIAL_STATUSES[moment.why],
    });
  if (moment.type !== "transferred") return undefined;
  return signed(transfer.statusUrl, { ...legs, CallUUID: call.callSid, DialAction: "answer" });
}

function toldAs({ type }: Moment): keyof Addresses {
  return type === "ringing" || type === "answered" || type === "ended" ? type : "machine";
}

/** Each event has its own address, notified by POST unless another method was requested. */
function addressesIn(fields: Record<string, string>): Addresses {
  const address = (name: string): string | undefined =>
    (fields[`${name}_method`] ?? "POST") === "POST" ? fields[`${name}_url`] : undefined;
  return {
    ringing: address("ring"),
    answered: address("answer"),
    ended: address("hangup"),
    machine: address("machine_detection"),
  };
}

function fieldsOf(call: FakeCall, moment: Moment): Record<string, string> | undefined {
  switch (moment.type) {
    case "ringing":
      return { Event: "Ring", CallStatus: "ringing" };
    case "answered":
      return { Event: "StartApp", CallStatus: "in-progress" };
    case "ended": {
      const [CallStatus, HangupCause] = ENDS[moment.status];
      return { Event: "Hangup", CallStatus, HangupCause };
    }
    case "beep":
    case "transferred":
    case "transfer_failed":
    case "whispered":
    case "bridged":
      return undefined;
    default: {
      const Machine = String(moment.type === "machine");
      return call.detection === undefined
        ? undefined
        : { Event: "MachineDetection", Machine, IfMachine: "continue" };
    }
  }
}

function signed(url: string, fields: Record<string, string>): SignedCallback {
  const nonce = String(randomInt(1e12)).padStart(20, "7");
  const sorted = (pairs: Iterable<[string, string]>) => [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));
  const { origin, pathname, searchParams } = new URL(url);
  const query = sorted(searchParams)
    .map((pair) => pair.join("="))
    .join("&");
  const text = `${origin}${pathname}?${query}${query && "."}${sorted(Object.entries(fields)).flat().join("")}.${nonce}`;
  const sign = (token: string) => createHmac("sha256", token).update(text).digest("base64");
  return {
    method: "POST",
    url,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      // Two signatures while a token is being rotated.
      "x-plivo-signature-v3": `${sign("the-token-before")},${sign(PLIVO_ACCOUNT.authToken)}`,
      "x-plivo-signature-v3-nonce": nonce,
    },
    body: new URLSearchParams(fields).toString(),
  };
}

async function serve(
  { method, path, headers, body }: FakeRequest,
  carrier: FakeCarrier,
): Promise<FakeAnswer> {
  const { authId, authToken } = PLIVO_ACCOUNT;
  const basic = `Basic ${Buffer.from(`${authId}:${authToken}`).toString("base64")}`;
  if (headers.authorization !== basic) return { status: 401, body: { error: "authentication failed" } };
  if (path === `${ACCOUNT_PATH}/`) return { status: 200, body: { auth_id: authId } };
  const fields = JSON.parse(body || "{}") as Record<string, string>;
  if (path === `${ACCOUNT_PATH}/Call/` && method === "POST") return create(fields, carrier);
  const [, kind, uuid = ""] = /\/(Call|Request)\/([^/]+)\/$/.exec(path) ?? [];
  const call = carrier.calls.get(uuid);
  // An unanswered leg is not a call yet but a request.
  const isThere = call && call.state !== "ended" && (kind === "Call") === (call.state === "answered");
  if (!isThere) return { status: 404, body: { api_id: randomUUID(), error: `${uuid} not found` } };
  if (method === "DELETE") {
    carrier.end(call);
    return { status: 204 };
  }
  // Plivo requests the address as the call goes on, not before the command is answered.
  setImmediate(
    () => void carrier.post(signed(fields.aleg_url ?? "", { ...common(call), Event: "Redirect" }), call),
  );
  return { status: 202, body: { message: "call transferred", api_id: randomUUID() } };
}

function create(fields: Record<string, string>, carrier: FakeCarrier): FakeAnswer {
  const { to = "", from = "" } = fields;
  if (isRefused(to) || to.startsWith("+"))
    return { status: 400, body: { api_id: randomUUID(), error: `${to} is not a valid phone number` } };
  const callSid = randomUUID();
  carrier.add({
    callSid,
    direction: "outbound",
    to,
    from,
    callbackUrl: fields.answer_url ?? "",
    addresses: addressesIn(fields),
    ringTimeoutSecs: Number(fields.ring_timeout),
    detection: fields.machine_detection,
    dropsMachines: fields.machine_detection === "hangup",
    state: "queued",
  });
  return { status: 201, body: { message: "call fired", request_uuid: callSid, api_id: randomUUID() } };
}

function obey(answer: string, call: FakeCall): void {
  const mediaUrl = /<Stream [^>]+>([^<]+)<\/Stream>/.exec(answer)?.[1];
  if (mediaUrl !== undefined) call.mediaUrl = mediaUrl.replaceAll("&amp;", "&");
  const dial =
    /<Dial callerId="\d+" timeout="\d+" action="([^"]+)" method="POST" redirect="true" callbackUrl="([^"]+)" callbackMethod="POST"><Number>(\d+)</;
  const [, actionUrl, statusUrl, number] = dial.exec(answer)?.map(unescaped) ?? [];
  if (actionUrl !== undefined && statusUrl !== undefined)
    Object.assign(call, {
      transferredTo: `+${number}`,
      mediaUrl: undefined,
      transfer: { actionUrl, statusUrl },
    });
  const [, text, nextUrl] =
    /<Speak>([^<]+)<\/Speak><Redirect method="POST">([^<]+)/.exec(answer)?.map(unescaped) ?? [];
  if (text !== undefined && nextUrl !== undefined) call.whisper = { text, nextUrl };
  const room = /<Conference [^>]+>([^<]+)/.exec(answer)?.[1];
  if (room !== undefined) Object.assign(call, { room, mediaUrl: undefined });
}

function unescaped(text: string): string {
  return text.replaceAll("&apos;", "'").replaceAll("&amp;", "&");
}
