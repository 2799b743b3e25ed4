import { createPrivateKey, type KeyObject, randomUUID } from "node:crypto";
import { AppError } from "@parley/shared/errors.ts";
import { z } from "zod";
import type { ConsultCall, Dial, Transfer } from "../carrier.ts";
import { CarrierApi, type CarrierCommand, type CarrierNetwork, type Refusal } from "../carrier-api.ts";
import { withoutPlus } from "../phone-numbers.ts";
import { streamNcco } from "./answer.ts";
import { signRs256 } from "./jwt.ts";

const TOKEN_LIFETIME_SECS = 300;
const MAX_RING_SECS = 120;
const BEEP_TIMEOUT_SECS = 45;

export interface VonageCredentials {
  readonly applicationId: string;
  /** Private key of the application: RSA, PEM. */
  readonly privateKey: string;
  readonly apiKey: string;
  /** Secret of the account's webhooks. */
  readonly signatureSecret: string;
}

const refusalSchema = z.object({
  title: z.string().optional(),
  error_title: z.string().optional(),
  detail: z.string().optional(),
});
const callSchema = z.object({ uuid: z.string().min(1) });

/** Vonage's Voice API, version 1. */
export class VonageRest {
  readonly #api: CarrierApi;

  /** Throws `AppError` bad_request for an invalid private key. */
  constructor({ applicationId, privateKey }: VonageCredentials, network: CarrierNetwork) {
    const key = readPrivateKey(privateKey);
    this.#api = new CarrierApi({
      network,
      title: "Vonage",
      settings: "applicationId and privateKey",
      authorize: () => `Bearer ${tokenOf(applicationId, key, network.clock.wallMs())}`,
      readRefusal,
    });
  }

  async createCall(call: Dial): Promise<string> {
    const body = await this.#api.send({ method: "POST", path: "/v1/calls", json: dialFields(call) });
    const created = callSchema.safeParse(body);
    if (!created.success) throw this.#api.unreadable();
    return created.data.uuid;
  }

  async hangUp(callSid: string): Promise<void> {
    await this.#put(callSid, "", { json: { action: "hangup" }, isRepeatable: true });
  }

  /** Dials a second leg, which runs `ncco` once answered. */
  async consult({ to, from, callbackUrl, ringTimeoutSecs }: ConsultCall, ncco: readonly object[]) {
    const json = { ...legFields({ to, from, callbackUrl, ringTimeoutSecs }), ncco };
    const created = callSchema.safeParse(await this.#api.send({ method: "POST", path: "/v1/calls", json }));
    if (!created.success) throw this.#api.unreadable();
    return created.data.uuid;
  }

  /** Replaces the call's NCCO. */
  async replaceNcco(callSid: string, ncco: readonly object[]): Promise<void> {
    const destination = { type: "ncco", ncco };
    await this.#put(callSid, "", { json: { action: "transfer", destination } });
  }

  async readCalls(): Promise<void> {
    await this.#api.send({ method: "GET", path: "/v1/calls?page_size=1", isRepeatable: true });
  }

  async #put(
    callSid: string,
    what: string,
    how: Pick<CarrierCommand, "json" | "isRepeatable">,
  ): Promise<void> {
    const path = `/v1/calls/${encodeURIComponent(callSid)}${what}`;
    await this.#api.send({ method: "PUT", path, isOfCall: true, ...how });
  }
}

function readPrivateKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "rsa") return key;
  } catch {
    // The parser's error is withheld: it may quote the key.
  }
  throw new AppError("bad_request", "privateKey is not the application's RSA key in PEM.");
}

function tokenOf(applicationId: string, key: KeyObject, nowMs: number): string {
  const iat = Math.floor(nowMs / 1_000);
  return signRs256(
    { application_id: applicationId, iat, exp: iat + TOKEN_LIFETIME_SECS, jti: randomUUID() },
    key,
  );
}

function legFields({ to, from, callbackUrl, ringTimeoutSecs }: Transfer) {
  return {
    to: [{ type: "phone", number: withoutPlus(to) }],
    from: { type: "phone", number: withoutPlus(from) },
    event_url: [callbackUrl],
    event_method: "POST",
    ringing_timer: Math.min(ringTimeoutSecs, MAX_RING_SECS),
  };
}

function dialFields({ mediaUrl, machineDetection, ...leg }: Dial) {
  const mode =
    machineDetection === "true" ? { mode: "default", beep_timeout: BEEP_TIMEOUT_SECS } : { mode: "detect" };
  return {
    ...legFields(leg),
    ncco: streamNcco(mediaUrl),
    ...(machineDetection ? { advanced_machine_detection: { behavior: "continue", ...mode } } : {}),
  };
}

function readRefusal(body: unknown): Refusal {
  const { data } = refusalSchema.safeParse(body);
  return { words: data?.detail ?? data?.error_title ?? data?.title };
}
