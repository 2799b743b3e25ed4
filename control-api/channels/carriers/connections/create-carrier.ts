import {
  type AccountCarrierName,
  type CarrierCredentials,
  ofEachCarrier,
  PHONE_CARRIERS,
} from "@parley/shared/contracts/phone-carriers.ts";
import { parseInput } from "@parley/shared/contracts/problems.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Dispatchers } from "@parley/shared/net/dispatchers.ts";
import type { ProviderKind } from "../../../sealed/connections/provider-kind.ts";
import type { AccountCarrier } from "../carrier.ts";
import type { CarrierNetwork } from "../carrier-api.ts";
import { createPlivoCarrier } from "../plivo/plivo.ts";
import { createTelnyxCarrier } from "../telnyx/telnyx.ts";
import { createTwilioCarrier } from "../twilio/twilio.ts";
import { createVonageCarrier } from "../vonage/vonage.ts";

/** Settings for reaching all carriers, apart from each one's address. */
export interface CarrierReach extends Omit<CarrierNetwork, "baseUrl" | "dispatcher"> {
  readonly dispatchers: Dispatchers;
  readonly apiUrls: Readonly<Record<AccountCarrierName, string>>;
}

type Create<K extends AccountCarrierName> = (
  credentials: CarrierCredentials[K],
  network: CarrierNetwork,
) => AccountCarrier;

/** Factory of each carrier; its descriptor holds the rest. */
const CREATE: { readonly [K in AccountCarrierName]: Create<K> } = {
  twilio: createTwilioCarrier,
  telnyx: createTelnyxCarrier,
  plivo: createPlivoCarrier,
  vonage: createVonageCarrier,
};

/**
 * Creates a carrier from credentials as entered. Throws `AppError` validation_failed and bad_request, which say what to
 * change and quote no value.
 */
export function createCarrier<K extends AccountCarrierName>(
  name: K,
  { orgId, credentials }: { readonly orgId: string; readonly credentials: unknown },
  reach: CarrierReach,
): AccountCarrier {
  return createOf(name, { orgId, credentials: parsed(name, credentials) }, reach);
}

/** What each carrier requires before its credentials are stored. */
export function carrierProviders(reach: CarrierReach): Readonly<Record<AccountCarrierName, ProviderKind>> {
  return ofEachCarrier((name) => providerOf(name, reach));
}

function providerOf<K extends AccountCarrierName>(name: K, reach: CarrierReach): ProviderKind {
  return {
    parse: (input, orgId) => {
      const credentials = parsed(name, input);
      const carrier = createOf(name, { orgId, credentials }, reach);
      return { account: accountOf(name, credentials), verify: () => checkAccount(carrier) };
    },
  };
}

function parsed<K extends AccountCarrierName>(name: K, credentials: unknown): CarrierCredentials[K] {
  const known: unknown = parseInput(PHONE_CARRIERS[name].credentials, credentials, "credentials");
  return known as CarrierCredentials[K];
}

function createOf<K extends AccountCarrierName>(
  name: K,
  { orgId, credentials }: { readonly orgId: string; readonly credentials: CarrierCredentials[K] },
  { apiUrls, dispatchers, ...network }: CarrierReach,
): AccountCarrier {
  const create: Create<K> = CREATE[name];
  const baseUrl = apiUrls[name].replace(/\/$/, "");
  return create(credentials, { ...network, baseUrl, dispatcher: () => dispatchers.of(orgId) });
}

/** Identifies the account or application; not a secret. */
function accountOf(name: AccountCarrierName, credentials: Readonly<Record<string, string>>): string {
  return credentials[PHONE_CARRIERS[name].account] ?? "";
}

async function checkAccount(carrier: AccountCarrier): Promise<void> {
  await carrier.checkAccount().catch((error: unknown) => {
    // The carrier's 401 is not ours: the requester is authenticated.
    if (!(error instanceof AppError) || error.code !== "unauthorized") throw error;
    throw new AppError("bad_request", error.message);
  });
}
