import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { EndStatus } from "@parley/control-api/channels/carriers/carrier.ts";

/** Callback addresses of an outgoing call; events without an address are not reported. */
export type Addresses = Readonly<Record<"ringing" | "answered" | "ended" | "machine", string | undefined>>;

/** A leg at a fake carrier. */
export interface FakeCall {
  readonly callSid: string;
  readonly direction: "outbound" | "inbound";
  readonly to: string;
  readonly from: string;
  /** Receives the leg's events. */
  readonly callbackUrl: string;
  /** For carriers with an address per event; otherwise `callbackUrl` receives everything. */
  readonly addresses?: Addresses | undefined;
  readonly ringTimeoutSecs?: number | undefined;
  /** Requested machine detection, in the carrier's terms. */
  readonly detection?: string | undefined;
  /** The carrier was asked to hang up on machines itself. */
  readonly dropsMachines?: boolean;
  state: "queued" | "ringing" | "answered" | "ended";
  /** Receives the media once the call is answered. */
  mediaUrl?: string | undefined;
  transferredTo?: string | undefined;
  /** Receives the transfer's outcome: at its end, and when it is answered; or carries its state (Telnyx). */
  transfer?: { readonly actionUrl: string; readonly statusUrl: string; readonly state?: string } | undefined;
  /** State that a command attached to the leg; each of its events carries it (Telnyx). */
  clientState?: string | undefined;
  /** Text the carrier spoke to the leg, and the address it asks next. */
  whisper?: { readonly text: string; readonly nextUrl: string } | undefined;
  /** Conference that connects this leg to others. */
  room?: string | undefined;
}

/** An event of a call. */
export type Moment =
  | { readonly type: "ringing" }
  | { readonly type: "answered" }
  | { readonly type: "human" }
  /** A greeting has begun; `beep` marks its end. */
  | { readonly type: "machine" }
  | { readonly type: "beep" }
  /** During a transfer: the target answered, or did not. */
  | { readonly type: "transferred" }
  | { readonly type: "transfer_failed"; readonly why: "busy" | "no-answer" | "failed" }
  /** The whisper has been spoken. */
  | { readonly type: "whispered" }
  /** The leg is bridged with another; only Telnyx reports this. */
  | { readonly type: "bridged" }
  | { readonly type: "ended"; readonly status: EndStatus };

/** A signed request from the carrier. */
export interface SignedCallback {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

type Told = SignedCallback | undefined;

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface FakeAnswer {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

/** What defines a carrier's fake: its REST API and the form of its callbacks. */
export interface FakeProtocol {
  /** Answers a command; calls are added, found and changed through `carrier`. */
  serve(request: FakeRequest, carrier: FakeCarrier): FakeAnswer | Promise<FakeAnswer>;
  /** The request posted for an event, or nothing where the carrier does not report it. */
  callback(call: FakeCall, moment: Moment): Told | Promise<Told>;
  /** The request posted to a number's address for an incoming call. */
  inbound(call: FakeCall): SignedCallback | Promise<SignedCallback>;
  /** Where the answer to a callback sends a call's media; an answer may also transfer the call. */
  obey?(answer: string, call: FakeCall): void;
}

/**
 * Undefined behaves correctly. A status is answered at once or when `until` resolves; `hang` never acts or
 * answers; `mute` acts without answering.
 */
export type Fault = (FakeAnswer & { readonly until?: Promise<void> }) | "hang" | "mute" | undefined;

export interface FakeCarrierOptions {
  readonly port?: number | undefined;
  /** Called when a call's media is to connect: attaches the phone's voice. */
  readonly onMedia?: (call: FakeCall) => void;
  /** Called for each new outbound call, to start a script. */
  readonly onDial?: (call: FakeCall, carrier: FakeCarrier) => void;
}

/** A carrier on the loopback: documented REST, signed callbacks, and calls that follow instructions. */
export class FakeCarrier {
  readonly calls = new Map<string, FakeCall>();
  readonly requests: FakeRequest[] = [];
  fault: Fault;
  url = "";
  readonly #protocol: FakeProtocol;
  readonly #options: FakeCarrierOptions;
  readonly #server = createServer((request, response) => {
    this.#handle(request, response).catch((error: unknown) =>
      send(response, { status: 500, body: { error: String(error) } }),
    );
  });

  constructor(protocol: FakeProtocol, options: FakeCarrierOptions = {}) {
    this.#protocol = protocol;
    this.#options = options;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(this.#options.port ?? 0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Adds an outbound call; its script starts after the command is answered. */
  add(call: FakeCall): void {
    this.calls.set(call.callSid, call);
    setImmediate(() => this.#options.onDial?.(call, this));
  }

  /** Triggers an event of a call: posts it to the callback address and obeys the answer. */
  async tell(callSid: string, moment: Moment): Promise<string> {
    const call = this.calls.get(callSid);
    if (!call) throw new Error(`there is no call ${callSid}`);
    if (moment.type === "ringing" || moment.type === "answered" || moment.type === "ended")
      call.state = moment.type;
    const callback = await this.#protocol.callback(call, moment);
    const before = call.mediaUrl;
    const answer = callback ? await this.post(callback, call) : "";
    const isBack = moment.type === "transfer_failed" && call.mediaUrl !== before;
    if (moment.type === "machine" && call.dropsMachines) this.end(call);
    if ((moment.type === "answered" || isBack) && call.mediaUrl !== undefined) this.#options.onMedia?.(call);
    return answer;
  }

  /** Simulates a call to a number whose webhook is `webhookUrl`. */
  async callIn(call: FakeCall): Promise<string> {
    this.calls.set(call.callSid, call);
    const answer = await this.post(await this.#protocol.inbound(call), call);
    if (call.mediaUrl !== undefined) this.#options.onMedia?.(call);
    return answer;
  }

  /** Signs an event's callback without posting it, for tests that tamper with it. */
  async sign(callSid: string, moment: Moment): Promise<SignedCallback> {
    const call = this.calls.get(callSid);
    const callback = call && (await this.#protocol.callback(call, moment));
    if (!callback) throw new Error(`nothing is told of ${callSid}`);
    return callback;
  }

  async post({ url, method, headers, body }: SignedCallback, call: FakeCall): Promise<string> {
    const response = await fetch(url, { method, headers, body });
    const answer = await response.text();
    if (response.ok) this.#protocol.obey?.(answer, call);
    return answer;
  }

  /** Handles a command that ended a call. */
  end(call: FakeCall): void {
    const status = call.state === "answered" ? "completed" : "canceled";
    setImmediate(() => {
      this.tell(call.callSid, { type: "ended", status }).catch(() => undefined);
    });
    call.state = "ended";
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const request: FakeRequest = {
      method: incoming.method ?? "GET",
      path: incoming.url ?? "/",
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    this.requests.push(request);
    const { fault } = this;
    if (fault === "hang") return;
    if (fault === "mute") await this.#protocol.serve(request, this);
    else if (fault) {
      await fault.until;
      send(response, { body: {}, ...fault });
    } else send(response, await this.#protocol.serve(request, this));
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: FakeAnswer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body === undefined ? "" : JSON.stringify(body));
}

/** The same leg with all events sent to another address. */
export function toldAt(call: FakeCall, callbackUrl: string): FakeCall {
  return { ...call, callbackUrl, addresses: undefined };
}

/** The address for a call's event. */
export function addressFor({ addresses, callbackUrl }: FakeCall, what: keyof Addresses): string | undefined {
  return addresses ? addresses[what] : callbackUrl;
}

/** Whether a number is in no country: every fake refuses it in its own words. */
export function isRefused(number: string): boolean {
  return !/^\+?[1-9]\d{6,14}$/.test(number) || number.replace("+", "").startsWith("999");
}
