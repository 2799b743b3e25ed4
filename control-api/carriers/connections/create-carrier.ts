import {
  type AccountCarrierName,
  CARRIER_CREDENTIALS,
  type CarrierCredentials,
} from "@parley/shared/contracts/carriers.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { AccountCarrier } from "../carrier.ts";
import type { CarrierNetwork } from "../carrier-api.ts";
import { createPlivoCarrier } from "../plivo/plivo.ts";
import { createTelnyxCarrier } from "../telnyx/telnyx.ts";
import { createTwilioCarrier } from "../twilio/twilio.ts";
import { createVonageCarrier } from "../vonage/vonage.ts";

/** How carriers are reached, besides where each of them is. */
export interface CarrierReach extends Omit<CarrierNetwork, "baseUrl"> {
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
 * A carrier of credentials as somebody wrote them, and which account they are of. Throws `AppError` validation_failed
 * and bad_request, which say what to change and quote no value.
 */
export function createCarrier<K extends AccountCarrierName>(
  name: K,
  credentials: unknown,
  { apiUrls, ...network }: CarrierReach,
): { carrier: AccountCarrier; account: string } {
  const parsed = CARRIER_CREDENTIALS[name].safeParse(credentials);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${["credentials", ...path].join(".")}: ${message}`,
    );
    throw new AppError("validation_failed", `The credentials of ${name} are wrong. ${problems.join("; ")}.`);
  }
  const kind: Kind<K> = KINDS[name];
  const known = parsed.data as CarrierCredentials[K];
  const baseUrl = apiUrls[name].replace(/\/$/, "");
  return { carrier: kind.create(known, { ...network, baseUrl }), account: kind.accountOf(known) };
}
