import type { AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import type { FakeCarrier, FakeCarrierOptions } from "./fake-carrier.ts";
import { PLIVO_ACCOUNT, startFakePlivo } from "./plivo.ts";
import { startFakeTelnyx, TELNYX_ACCOUNT } from "./telnyx.ts";
import { startFakeTwilio, TWILIO_ACCOUNT } from "./twilio.ts";
import { startFakeVonage, VONAGE_ACCOUNT } from "./vonage.ts";

interface CarrierFake {
  readonly start: (options?: FakeCarrierOptions) => Promise<FakeCarrier>;
  /** Credentials of the account it knows. */
  readonly account: Readonly<Record<string, string>>;
  /** Whether the carrier writes numbers with a plus. */
  readonly plus: "+" | "";
}

/** The carriers' fakes. */
export const CARRIER_FAKES: Readonly<Record<AccountCarrierName, CarrierFake>> = {
  twilio: { start: startFakeTwilio, account: TWILIO_ACCOUNT, plus: "+" },
  telnyx: { start: startFakeTelnyx, account: TELNYX_ACCOUNT, plus: "+" },
  plivo: { start: startFakePlivo, account: PLIVO_ACCOUNT, plus: "" },
  vonage: { start: startFakeVonage, account: VONAGE_ACCOUNT, plus: "" },
};
