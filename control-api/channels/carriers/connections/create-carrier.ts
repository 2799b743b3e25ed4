import {
  type AccountCarrierName,
  CARRIER_CREDENTIALS,
  type CarrierCredentials,
} from "@parley/shared/contracts/carriers.ts";
import { parseInput } from "@parley/shared/contracts/problems.ts";
import type { Dispatchers } from "@parley/shared/net/dispatchers.ts";
import type { AccountCarrier } from "../carrier.ts";
import type { CarrierNetwork } from "../carrier-api.ts";
import { createPlivoCarrier } from "../plivo/plivo.ts";
import { createTelnyxCarrier } from "../telnyx/telnyx.ts";
import { createTwilioCarrier } from "../twilio/twilio.ts";
import { createVonageCarrier } from "../vonage/vonage.ts";

/** How carriers are reached, besides where each of them is. */
export interface CarrierReach extends Omit<CarrierNetwork, "baseUrl" | "dispatcher"> {
  readonly dispatchers: Dispatchers;
  readonly apiUrls: Readonly<Record<AccountCarrierName, string>>;
}

interface Kind<K extends AccountCarrierName> {
  readonly create: (credentials: CarrierCredentials[K], network: CarrierNetwork) => AccountCarrier;
  readonly accountOf: (credentials: CarrierCredentials[K]) => string;
}

const KINDS: { readonly [K in AccountCarrierName]: Kind<K> } = {
  twilio: { create: createTwilioCarrier, accountOf: ({ accountSid }) => accountSid },
  telnyx: { create: createTelnyxCarrier, accountOf: ({ connectionId }) => connectionId },
  plivo: { create: createPlivoCarrier, accountOf: ({ authId }) => authId },
  vonage: { create: createVonageCarrier, accountOf: ({ applicationId }) => applicationId },
};

/**
 * A carrier of an organization's credentials as somebody wrote them, and which account they are of. Throws `AppError` validation_failed
 * and bad_request, which say what to change and quote no value.
 */
export function createCarrier<K extends AccountCarrierName>(
  name: K,
  { orgId, credentials }: { readonly orgId: string; readonly credentials: unknown },
  { apiUrls, dispatchers, ...network }: CarrierReach,
): { carrier: AccountCarrier; account: string } {
  const parsed: unknown = parseInput(CARRIER_CREDENTIALS[name], credentials, "credentials");
  const kind: Kind<K> = KINDS[name];
  const known = parsed as CarrierCredentials[K];
  const baseUrl = apiUrls[name].replace(/\/$/, "");
  const dispatcher = () => dispatchers.of(orgId);
  return { carrier: kind.create(known, { ...network, baseUrl, dispatcher }), account: kind.accountOf(known) };
}
