import { AppError } from "@parley/shared/errors.ts";
import { z } from "zod";
import type { ConsultCall, Dial, Joining, Transfer } from "../carrier.ts";
import { basicAuth, CarrierApi, type CarrierNetwork, type Refusal } from "../carrier-api.ts";
import { withoutPlus } from "../phone-numbers.ts";
import { dialUrl, roomUrl } from "./next-url.ts";

export interface PlivoCredentials {
  readonly authId: string;
  readonly authToken: string;
}

const refusalSchema = z.object({ error: z.string() });
const callSchema = z.object({ request_uuid: z.string().min(1) });

/** Plivo's REST API, version 1, as far as calls need it. */
export class PlivoRest {
  readonly #api: CarrierApi;
  readonly #account: string;

  constructor({ authId, authToken }: PlivoCredentials, network: CarrierNetwork) {
    this.#account = `/v1/Account/${encodeURIComponent(authId)}`;
    this.#api = new CarrierApi({
      network,
      title: "Plivo",
      settings: "authId and authToken",
      authorize: () => basicAuth(authId, authToken),
      readRefusal: (body) => ({ words: refusalSchema.safeParse(body).data?.error }) satisfies Refusal,
    });
  }

  async createCall(call: Dial | ConsultCall): Promise<string> {
    const path = `${this.#account}/Call/`;
    const created = callSchema.safeParse(
      await this.#api.send({ method: "POST", path, json: dialFields(call) }),
    );
    if (!created.success) throw this.#api.unreadable();
    return created.data.request_uuid;
  }

  /** Until somebody answers, a leg is known only by its request. */
  async hangUp(callSid: string): Promise<void> {
    try {
      await this.#delete(`${this.#callPath(callSid)}`);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "not_found") throw error;
      await this.#delete(`${this.#account}/Request/${encodeURIComponent(callSid)}/`);
    }
  }

  /** Plivo fetches the XML that dials; the signed address names the target. */
  async transfer(callSid: string, to: Transfer): Promise<void> {
    await this.#redirect(callSid, dialUrl(to));
  }

  /** As `transfer`, but into the room. */
  async join(callSid: string, { transferId, callbackUrl }: Joining): Promise<void> {
    await this.#redirect(callSid, roomUrl(callbackUrl, transferId));
  }

  async #redirect(callSid: string, url: string): Promise<void> {
    const json = { legs: "aleg", aleg_url: url, aleg_method: "POST" };
    await this.#api.send({ method: "POST", path: this.#callPath(callSid), json, isOfCall: true });
  }

  async readAccount(): Promise<void> {
    await this.#api.send({ method: "GET", path: `${this.#account}/`, isRepeatable: true });
  }

  #callPath(callSid: string): string {
    return `${this.#account}/Call/${encodeURIComponent(callSid)}/`;
  }

  async #delete(path: string): Promise<void> {
    await this.#api.send({ method: "DELETE", path, isOfCall: true, isRepeatable: true });
  }
}

function dialFields({
  to,
  from,
  callbackUrl,
  ringTimeoutSecs,
  machineDetection,
}: Transfer & Pick<Dial, "machineDetection">) {
  const detection = {
    // With `hangup`, Plivo would drop the call itself; here the policy decides.
    machine_detection: "true",
    machine_detection_url: callbackUrl,
    machine_detection_method: "POST",
  };
  return {
    to: withoutPlus(to),
    from: withoutPlus(from),
    answer_url: callbackUrl,
    answer_method: "POST",
    ring_url: callbackUrl,
    ring_method: "POST",
    hangup_url: callbackUrl,
    hangup_method: "POST",
    ring_timeout: ringTimeoutSecs,
    ...(machineDetection ? detection : {}),
  };
}
