import { z } from "zod";
import type { ConsultCall, Dial } from "../carrier.ts";
import { basicAuth, CarrierApi, type CarrierNetwork, type Refusal } from "../carrier-api.ts";
import { streamTwiml } from "./answer.ts";

/** "Call is not in-progress", "the requested resource was not found". */
const OVER = new Set([21_220, 20_404]);
const MAX_RING_SECS = 600;

export interface TwilioCredentials {
  readonly accountSid: string;
  readonly authToken: string;
}

const refusalSchema = z.object({ code: z.number().optional(), message: z.string() });
const callSchema = z.object({ sid: z.string().min(1) });

/** Twilio's REST API of 2010-04-01, as far as calls need it. */
export class TwilioRest {
  readonly #api: CarrierApi;
  readonly #account: string;

  constructor({ accountSid, authToken }: TwilioCredentials, network: CarrierNetwork) {
    this.#account = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`;
    this.#api = new CarrierApi({
      network,
      title: "Twilio",
      settings: "accountSid and authToken",
      authorize: () => basicAuth(accountSid, authToken),
      readRefusal,
    });
  }

  createCall(call: Dial): Promise<string> {
    return this.#create(dialForm(call));
  }

  async #create(form: URLSearchParams): Promise<string> {
    const body = await this.#api.send({ method: "POST", path: `${this.#account}/Calls.json`, form });
    const created = callSchema.safeParse(body);
    if (!created.success) throw this.#api.unreadable();
    return created.data.sid;
  }

  /** Dials a second leg, which runs `twiml` once answered. */
  async consult({ to, from, callbackUrl, ringTimeoutSecs }: ConsultCall, twiml: string): Promise<string> {
    const form = new URLSearchParams({
      To: to,
      From: from,
      Twiml: twiml,
      Timeout: String(Math.min(ringTimeoutSecs, MAX_RING_SECS)),
      StatusCallback: callbackUrl,
      StatusCallbackMethod: "POST",
    });
    for (const event of ["answered", "completed"]) form.append("StatusCallbackEvent", event);
    return this.#create(form);
  }

  async endCall(callSid: string): Promise<void> {
    await this.#update(callSid, { Status: "completed" }, { isRepeatable: true });
  }

  async replaceTwiml(callSid: string, twiml: string): Promise<void> {
    await this.#update(callSid, { Twiml: twiml });
  }

  async readAccount(): Promise<void> {
    await this.#api.send({ method: "GET", path: `${this.#account}.json`, isRepeatable: true });
  }

  async #update(
    callSid: string,
    fields: Record<string, string>,
    how: { isRepeatable?: true } = {},
  ): Promise<void> {
    const path = `${this.#account}/Calls/${encodeURIComponent(callSid)}.json`;
    await this.#api.send({ method: "POST", path, form: new URLSearchParams(fields), isOfCall: true, ...how });
  }
}

function dialForm({
  to,
  from,
  mediaUrl,
  callbackUrl,
  ringTimeoutSecs,
  machineDetection,
}: Dial): URLSearchParams {
  const form = new URLSearchParams({
    To: to,
    From: from,
    Twiml: streamTwiml(mediaUrl),
    Timeout: String(Math.min(ringTimeoutSecs, MAX_RING_SECS)),
    StatusCallback: callbackUrl,
    StatusCallbackMethod: "POST",
  });
  for (const event of ["initiated", "ringing", "answered", "completed"])
    form.append("StatusCallbackEvent", event);
  if (machineDetection) {
    // Leaving a message requires the end of the greeting; merely dropping machines calls for the earliest verdict.
    form.set("MachineDetection", machineDetection === "true" ? "DetectMessageEnd" : "Enable");
    form.set("AsyncAmd", "true");
    form.set("AsyncAmdStatusCallback", callbackUrl);
    form.set("AsyncAmdStatusCallbackMethod", "POST");
  }
  return form;
}

function readRefusal(body: unknown): Refusal {
  const { data } = refusalSchema.safeParse(body);
  return { words: data?.message, isOver: data?.code !== undefined && OVER.has(data.code) };
}
