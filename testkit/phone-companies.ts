import {
  ACCOUNT_CARRIERS,
  type AccountCarrierName,
  ofEachCarrier,
  PHONE_CARRIERS,
} from "@parley/shared/contracts/phone-carriers.ts";
import { connectAccount } from "./carrier-account.ts";
import { TestPhoneCompany } from "./phone-company.ts";
import type { TestTelephony } from "./telephony.ts";

/** One number of each account. */
export const OURS: Readonly<Record<AccountCarrierName, string>> = ofEachCarrier(
  (name) => `+1202555013${1 + ACCOUNT_CARRIERS.indexOf(name)}`,
);

/** Every carrier with accounts, each with its own fake. */
export class TestPhoneCompanies {
  readonly all: readonly TestPhoneCompany[];

  private constructor(all: readonly TestPhoneCompany[]) {
    this.all = all;
  }

  static async start(habits: { forgetsMarks?: boolean } = {}): Promise<TestPhoneCompanies> {
    return new TestPhoneCompanies(
      await Promise.all(ACCOUNT_CARRIERS.map((name) => TestPhoneCompany.start(name, habits))),
    );
  }

  /** Environment that points control APIs at them. */
  get apiEnv(): Record<string, string> {
    return Object.fromEntries(
      this.all.map(({ name, carrier }) => [PHONE_CARRIERS[name].api.variable, carrier.url]),
    );
  }

  of(name: AccountCarrierName): TestPhoneCompany {
    const company = this.all.find((one) => one.name === name);
    if (!company) throw new Error(`there is no ${name}`);
    return company;
  }

  /** Connects the organization to an account at each carrier, with its number. */
  async connectTo({ api, organization: { orgId } }: TestTelephony, secretsKey: string): Promise<void> {
    for (const { name: carrier, credentials } of this.all)
      await connectAccount(api.database, { orgId, carrier, credentials, number: OURS[carrier], secretsKey });
  }

  async close(): Promise<void> {
    for (const company of this.all) await company.close();
  }
}
