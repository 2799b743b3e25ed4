import { z } from "zod";

/**
 * The companies whose networks reach phones: one descriptor per carrier. It provides the names that numbers and
 * connections choose from, an organization's credentials, the configuration, the catalog, the pages' labels,
 * `.env.example`, `docker-compose.yml`, docs/configuration.md, and the tables of docs/phones.md.
 */
export interface PhoneCarrier {
  /** The carrier's own spelling of its name. */
  readonly label: string;
  /** Base address of the carrier's REST API; the operator may override it. */
  readonly api: { readonly variable: string; readonly fallback: string; readonly about: string };
  /** Named as in the carrier's console; a description distinguishes similar ones. */
  readonly credentials: z.ZodObject;
  /** The non-secret credential: which account or application it is. */
  readonly account: string;
  /** How the carrier transfers a caller, for docs/phones.md. */
  readonly transfers: { readonly blind: string; readonly warm: string };
}

/** Characters that can stand unescaped in a header and a URL. */
const token = z.string().regex(/^[\x21-\x7e]{1,512}$/, "1 to 512 visible ASCII characters");

/** Every carrier that accepts an account, in the order in which they are listed. */
export const PHONE_CARRIERS = {
  twilio: {
    label: "Twilio",
    api: {
      variable: "TWILIO_API_URL",
      fallback: "https://api.twilio.com",
      about: "Address of Twilio's REST API.",
    },
    credentials: z.strictObject({
      accountSid: z.string().regex(/^AC[0-9a-f]{32}$/, "AC and 32 hexadecimal digits"),
      authToken: token,
    }),
    account: "accountSid",
    transfers: {
      blind: "`<Dial action>`; its answer reconnects the stream",
      warm: "a second call with `<Say>`, then a `<Conference>`",
    },
  },
  telnyx: {
    label: "Telnyx",
    api: {
      variable: "TELNYX_API_URL",
      fallback: "https://api.telnyx.com",
      about: "Address of Telnyx' REST API.",
    },
    credentials: z.strictObject({
      apiKey: token,
      publicKey: token.describe("of the webhooks"),
      connectionId: token.describe("of the Voice API application"),
    }),
    account: "connectionId",
    transfers: {
      blind: "`transfer`; the stream stays until somebody answers",
      warm: "a second call, `speak`, `bridge`",
    },
  },
  plivo: {
    label: "Plivo",
    api: {
      variable: "PLIVO_API_URL",
      fallback: "https://api.plivo.com",
      about: "Address of Plivo's REST API.",
    },
    credentials: z.strictObject({ authId: token, authToken: token }),
    account: "authId",
    transfers: {
      blind: "`<Dial action>`; its answer reconnects the stream",
      warm: "a second call with `<Speak>`, then a `<Conference>`",
    },
  },
  vonage: {
    label: "Vonage",
    api: {
      variable: "VONAGE_API_URL",
      fallback: "https://api.nexmo.com",
      about: "Address of Vonage's Voice API.",
    },
    /** `privateKey` belongs to the application, `apiKey` and `signatureSecret` to the account. */
    credentials: z.strictObject({
      applicationId: token,
      privateKey: z.string().min(1).max(8_192).describe("PEM"),
      apiKey: token,
      signatureSecret: token,
    }),
    account: "applicationId",
    transfers: {
      blind: "synchronous `connect`; its answer reconnects",
      warm: "a second call with `talk`, then a `conversation`",
    },
  },
} as const satisfies Readonly<Record<string, PhoneCarrier>>;

type Carriers = typeof PHONE_CARRIERS;
export type AccountCarrierName = keyof Carriers;
/** The environment variables with the addresses of the carriers' APIs. */
export type CarrierVariable = Carriers[AccountCarrierName]["api"]["variable"];
export type CarrierCredentials = {
  readonly [K in AccountCarrierName]: z.infer<Carriers[K]["credentials"]>;
};

export const ACCOUNT_CARRIERS = Object.keys(PHONE_CARRIERS) as [AccountCarrierName, ...AccountCarrierName[]];

/** Builds a record with one value per carrier, by its name. */
export function ofEachCarrier<T>(of: (name: AccountCarrierName) => T): Record<AccountCarrierName, T> {
  return Object.fromEntries(ACCOUNT_CARRIERS.map((name) => [name, of(name)])) as Record<
    AccountCarrierName,
    T
  >;
}
