import { z } from "zod";
import type { ConsultCall, Dial, Joining, Transfer } from "../carrier.ts";
import { CarrierApi, type CarrierCommand, type CarrierNetwork, type Refusal } from "../carrier-api.ts";
import { streamFields } from "./answer.ts";
import { stateOfRefusal, stateOfTransfer } from "./callbacks.ts";

/** "Call has already ended", "invalid call control id". */
const OVER = new Set(["90018", "90015"]);
const RING_SECS = { min: 5, max: 600 };

export interface TelnyxCredentials {
  readonly apiKey: string;
  /** Key of the account's webhooks: Ed25519, 32 bytes in base64. */
  readonly publicKey: string;
  /** The Voice API application that places outbound calls. */
  readonly connectionId: string;
}

const refusalSchema = z.object({
  errors: z
    .array(z.object({ code: z.coerce.string(), title: z.string(), detail: z.string().optional() }))
    .min(1),
});
const callSchema = z.object({ data: z.object({ call_control_id: z.string().min(1) }) });

/** Telnyx's Call Control API, version 2. */
export class TelnyxRest {
  readonly #api: CarrierApi;
  readonly #connectionId: string;

  constructor({ apiKey, connectionId }: TelnyxCredentials, network: CarrierNetwork) {
    this.#connectionId = connectionId;
    this.#api = new CarrierApi({
      network,
      title: "Telnyx",
      settings: "apiKey",
      authorize: () => `Bearer ${apiKey}`,
      readRefusal,
    });
  }

  createCall(call: Dial): Promise<string> {
    return this.#create({
      to: call.to,
      from: call.from,
      timeout_secs: Math.min(RING_SECS.max, Math.max(RING_SECS.min, call.ringTimeoutSecs)),
      webhook_url: call.callbackUrl,
      webhook_url_method: "POST",
      // Idempotent: Telnyx dials the same call once, however often it is asked.
      command_id: call.sessionId,
      ...streamFields(call.mediaUrl),
      ...detectionFields(call),
    });
  }

  async #create(fields: object): Promise<string> {
    const json = { connection_id: this.#connectionId, ...fields };
    const body = await this.#api.send({ method: "POST", path: "/v2/calls", json });
    const created = callSchema.safeParse(body);
    if (!created.success) throw this.#api.unreadable();
    return created.data.data.call_control_id;
  }

  async answer(callSid: string, mediaUrl: string): Promise<void> {
    const json = { ...streamFields(mediaUrl), command_id: `answer-${callSid}` };
    await this.#act(callSid, "answer", { json, isRepeatable: true });
  }

  async reject(callSid: string): Promise<void> {
    const json = { cause: "CALL_REJECTED", command_id: `reject-${callSid}` };
    await this.#act(callSid, "reject", { json, isRepeatable: true });
  }

  /** Answers a call without media: Telnyx speaks to a caller only after that. */
  async answerToExplain(callSid: string, words: string): Promise<void> {
    const json = { client_state: stateOfRefusal(words), command_id: `explain-${callSid}` };
    await this.#act(callSid, "answer", { json, isRepeatable: true });
  }

  async hangUp(callSid: string): Promise<void> {
    await this.#act(callSid, "hangup", { json: { command_id: `hangup-${callSid}` }, isRepeatable: true });
  }

  async transfer(callSid: string, { to, from, callbackUrl, ringTimeoutSecs }: Transfer): Promise<void> {
    const json = {
      to,
      from,
      timeout_secs: ringTimeoutSecs,
      webhook_url: callbackUrl,
      webhook_url_method: "POST",
      target_leg_client_state: stateOfTransfer(callSid),
    };
    await this.#act(callSid, "transfer", { json });
  }

  /** Dials a second leg with nothing on it yet. */
  async consult({ to, from, callbackUrl, ringTimeoutSecs, transferId }: ConsultCall): Promise<string> {
    return this.#create({
      to,
      from,
      timeout_secs: ringTimeoutSecs,
      webhook_url: callbackUrl,
      webhook_url_method: "POST",
      command_id: transferId,
    });
  }

  /** Telnyx speaks once per `id`. */
  async speak(
    callSid: string,
    { words, id }: { readonly words: string; readonly id: string },
  ): Promise<void> {
    const json = { payload: words, voice: "female", language: "en-US", command_id: `speak-${id}` };
    await this.#act(callSid, "speak", { json });
  }

  async bridge(callSid: string, { targetSid, transferId }: Joining): Promise<void> {
    const json = { call_control_id: targetSid, command_id: `bridge-${transferId}` };
    await this.#act(callSid, "bridge", { json });
  }

  async stopStream(callSid: string): Promise<void> {
    await this.#act(callSid, "streaming_stop", { json: {}, isRepeatable: true });
  }

  async readApplication(): Promise<void> {
    const path = `/v2/call_control_applications/${encodeURIComponent(this.#connectionId)}`;
    await this.#api.send({ method: "GET", path, isRepeatable: true });
  }

  async #act(
    callSid: string,
    action: string,
    how: Pick<CarrierCommand, "json" | "isRepeatable">,
  ): Promise<void> {
    const path = `/v2/calls/${encodeURIComponent(callSid)}/actions/${action}`;
    await this.#api.send({ method: "POST", path, isOfCall: true, ...how });
  }
}

function detectionFields({ machineDetection }: Dial): { answering_machine_detection?: string } {
  if (!machineDetection) return {};
  return { answering_machine_detection: machineDetection === "true" ? "detect_beep" : "detect" };
}

function readRefusal(body: unknown): Refusal {
  const [first] = refusalSchema.safeParse(body).data?.errors ?? [];
  return {
    words: first && (first.detail ?? first.title),
    isOver: first !== undefined && OVER.has(first.code),
  };
}
