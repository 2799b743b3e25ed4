import type { AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import type { FakeAnswer } from "./fake-carrier.ts";

/** A carrier's documented refusal to dial, and Parley's code for it. */
export interface DocumentedRefusal {
  readonly failure: string;
  readonly answer: FakeAnswer;
  /** The part of the answer that people must see. */
  readonly words: string;
  readonly code: "bad_request" | "too_many_requests";
}

const LIMITED = { "retry-after": "7" };

type Row = [failure: string, status: number, code: string, words: string];

/** twilio.com/docs/api/errors */
const TWILIO: readonly Row[] = [
  ["an invalid number", 400, "21211", "The phone number you are attempting to call, +1202555, is not valid."],
  [
    "an unverified caller",
    400,
    "21210",
    "The source phone number provided, +12025550131, is not yet verified.",
  ],
  [
    "an unverified number on a trial",
    400,
    "21219",
    "The number +12025554001 is unverified. Trial accounts may only make calls to verified numbers.",
  ],
  [
    "a country without permission",
    400,
    "21215",
    "Account not authorized to call +882. Perhaps you need to enable some international permissions.",
  ],
  ["a number on the blocklist", 400, "21216", "Account not allowed to call +12025554001."],
  ["an account that is suspended or without funds", 403, "20005", "The account is not active."],
  ["too many requests", 429, "20429", "Too many requests."],
];

/** developers.telnyx.com: API error codes, and D codes of outbound calls. */
const TELNYX: readonly Row[] = [
  ["an invalid number", 422, "10016", "The specified phone number parameter must be in +E.164 format."],
  ["an unverified caller", 403, "D36", "The origination number is not one of your account's."],
  [
    "a country without permission",
    403,
    "D13",
    "The dialed number is not included in the whitelisted countries.",
  ],
  [
    "an account that is suspended or without funds",
    403,
    "D17",
    "The account is disabled; check its balance.",
  ],
  ["no permission", 403, "10010", "You do not have permission to perform the requested action."],
  ["too many calls at once", 403, "D1", "Concurrent outbound calls exceed the limit."],
  ["too many requests", 429, "10011", "You have exceeded the maximum number of allowed requests."],
];

/** docs.plivo.com/docs/voice/api/overview: codes are HTTP's own. */
const PLIVO: readonly Row[] = [
  ["an invalid number", 400, "", "to parameter is not a valid phone number"],
  ["an unverified caller", 400, "", "from parameter is not a number of your account"],
  ["a country without permission", 403, "", "geo permissions for this destination are disabled"],
  [
    "an account that is suspended or without funds",
    403,
    "",
    "insufficient balance, please recharge your account",
  ],
  ["a resource that is not there", 404, "", "not found"],
  ["too many requests", 429, "", "rate limit exceeded"],
];

/** developer.vonage.com/api-errors */
const VONAGE: readonly Row[] = [
  ["an invalid number", 400, "Bad Request", "The value of to[0].number is not a valid phone number."],
  ["an unverified caller", 403, "Forbidden", "The from number is not linked to this application."],
  ["a country without permission", 403, "Forbidden", "The destination is not permitted for this account."],
  [
    "an account that is suspended or without funds",
    402,
    "Low balance",
    "This request could not be performed due to your account balance being low.",
  ],
  ["too many requests", 429, "Rate Limited", "You have exceeded your rate limit."],
];

const ENVELOPES: Readonly<
  Record<AccountCarrierName, (status: number, code: string, words: string) => object>
> = {
  twilio: (status, code, message) => ({
    code: Number(code),
    message,
    more_info: "https://www.twilio.com/docs/errors",
    status,
  }),
  telnyx: (_status, code, detail) => ({ errors: [{ code, title: "Refused", detail }] }),
  plivo: (_status, _code, error) => ({ api_id: "0f0f", error }),
  vonage: (_status, title, detail) => ({ type: "https://developer.vonage.com/api-errors", title, detail }),
};

/**
 * Refusals of a dial per fake, besides its built-in ones. Where a carrier documents a failure without a text,
 * the words are invented.
 */
export const REFUSALS: Readonly<Record<AccountCarrierName, readonly DocumentedRefusal[]>> = {
  twilio: TWILIO.map((row) => refusalOf("twilio", row)),
  telnyx: TELNYX.map((row) => refusalOf("telnyx", row)),
  plivo: PLIVO.map((row) => refusalOf("plivo", row)),
  vonage: VONAGE.map((row) => refusalOf("vonage", row)),
};

function refusalOf(carrier: AccountCarrierName, [failure, status, code, words]: Row): DocumentedRefusal {
  const isLimit = status === 429;
  return {
    failure,
    answer: {
      status,
      body: ENVELOPES[carrier](status, code, words),
      ...(isLimit ? { headers: LIMITED } : {}),
    },
    words,
    code: isLimit ? "too_many_requests" : "bad_request",
  };
}
