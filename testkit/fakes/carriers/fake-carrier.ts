import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { EndStatus } from "@parley/control-api/channels/carriers/carrier.ts";

/** Where a call out asked to be told of what; of what has no address nothing is told. */
export type Addresses = Readonly<Record<"ringing" | "answered" | "ended" | "machine", string | undefined>>;

/** A leg at a fake carrier. */
export interface FakeCall {
  readonly callSid: string;
  readonly direction: "outbound" | "inbound";
  readonly to: string;
  readonly from: string;
  /** Where it is told what happens. */
  readonly callbackUrl: string;
  /** Of a carrier that has an address for each; all is told at `callbackUrl` without. */
  readonly addresses?: Addresses | undefined;
  readonly ringTimeoutSecs?: number | undefined;
  /** How the carrier was asked to look for machines, in its own words. */
  readonly detection?: string | undefined;
  /** It was asked to hang up on machines by itself. */
  readonly dropsMachines?: boolean;
  state: "queued" | "ringing" | "answered" | "ended";
  /** Once the call is answered, media goes there. */
  mediaUrl?: string | undefined;
  transferredTo?: string | undefined;
  /** Where what becomes of the transfer is told: at its end, and when somebody answers; or by which state (Telnyx). */
  transfer?: { readonly actionUrl: string; readonly statusUrl: string; readonly state?: string } | undefined;
  /** What was said to it by the carrier, and where it asks how to go on afterwards. */
  whisper?: { readonly text: string; readonly nextUrl: string } | undefined;
  /** Who else is in it is talked with. */
  room?: string | undefined;
}

/** What happens to a call. */
export type Moment =
  | { readonly type: "ringing" }
  | { readonly type: "answered" }
  | { readonly type: "human" }
  /** A greeting has begun; `beep` is the end of one. */
  | { readonly type: "machine" }
  | { readonly type: "beep" }
  /** Of a call that is being transferred: somebody answers there, or nobody does. */
  | { readonly type: "transferred" }
  | { readonly type: "transfer_failed"; readonly why: "busy" | "no-answer" | "failed" }
  /** What was to be said was said. */
  | { readonly type: "whispered" }
  /** It is bridged with another one: only Telnyx tells so. */
  | { readonly type: "bridged" }
  | { readonly type: "ended"; readonly status: EndStatus };

/** A request of the carrier, signed. */
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

/** What a carrier's fake is made of: its REST API, and what its callbacks look like. */
export interface FakeProtocol {
  /** Answers a command; calls are put into, found and changed through `carrier`. */
  serve(request: FakeRequest, carrier: FakeCarrier): FakeAnswer | Promise<FakeAnswer>;
  /** What is posted for a moment, or nothing where this carrier says nothing of it. */
  callback(call: FakeCall, moment: Moment): Told | Promise<Told>;
  /** What is posted to the address of a number when somebody calls it. */
  inbound(call: FakeCall): SignedCallback | Promise<SignedCallback>;
  /** Where the answer to a callback sends the media of a call; an answer may also transfer it. */
  obey?(answer: string, call: FakeCall): void;
}

/**
 * Does what it should; or answers with a status, at once or when `until` resolves, or never (`hang`), or does it and
 * never says so (`mute`).
 */
export type Fault = (FakeAnswer & { readonly until?: Promise<void> }) | "hang" | "mute" | undefined;

export interface FakeCarrierOptions {
  readonly port?: number | undefined;
  /** The media of a call is to connect now: what plays the phone's voice hangs in here. */
  readonly onMedia?: (call: FakeCall) => void;
  /** Called for each new outbound call: who plays scripts begins here. */
  readonly onDial?: (call: FakeCall, carrier: FakeCarrier) => void;
}

/** A carrier on the loopback: documented REST, signed callbacks, and calls that do what they are told to. */
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

  /** A new outbound call; what its script does comes after the answer to the command. */
  add(call: FakeCall): void {
    this.calls.set(call.callSid, call);
    setImmediate(() => this.#options.onDial?.(call, this));
  }

  /** Lets something happen to a call: it is posted to the callback address, and the answer is obeyed. */
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

  /** Somebody calls a number whose webhook is `webhookUrl`. */
  async callIn(call: FakeCall): Promise<string> {
    this.calls.set(call.callSid, call);
    const answer = await this.post(await this.#protocol.inbound(call), call);
    if (call.mediaUrl !== undefined) this.#options.onMedia?.(call);
    return answer;
  }

  /** The callback of a moment without posting it: for those who want to change it on the way. */
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

  /** A command ended a call. */
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

/** The same leg, all of which is told somewhere else. */
export function toldAt(call: FakeCall, callbackUrl: string): FakeCall {
  return { ...call, callbackUrl, addresses: undefined };
}

/** Where this call is told of that. */
export function addressFor({ addresses, callbackUrl }: FakeCall, what: keyof Addresses): string | undefined {
  return addresses ? addresses[what] : callbackUrl;
}

/** Numbers of a country there is none of: every fake refuses them in its own words. */
export function isRefused(number: string): boolean {
  return !/^\+?[1-9]\d{6,14}$/.test(number) || number.replace("+", "").startsWith("999");
}
