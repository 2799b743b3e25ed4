import { z } from "zod";
import type { Connector } from "../../connector.ts";
import { basic, secret } from "../fields.ts";
import { actions } from "./actions.ts";
import { refusalOf } from "./refusals.ts";
import { verify } from "./verify.ts";

const TOKEN_FORM = "Auth token";
const KEY_FORM = "API key";

const sid = (prefix: string) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^${prefix}[0-9a-fA-F]{32}$`), `${prefix} and 32 digits and letters a to f`);

/** A number, a short code, a messaging service or a name. */
const sender = z
  .string()
  .trim()
  .overwrite((value) => (/^\+?[\d\s().-]+$/.test(value) ? value.replace(/[\s().-]/g, "") : value))
  .regex(
    /^(\+[1-9]\d{6,14}|\d{5,6}|MG[0-9a-fA-F]{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/,
    "a phone number with + and its country, a short code, a messaging service (MG…), or a name of up to 11 letters and digits",
  );

export const connector: Connector = {
  id: "twilio-sms",
  name: "Twilio SMS",
  category: "Messaging",
  about: "Sends text messages to phones.",
  authKind: "basic",
  docsUrl: "https://www.twilio.com/docs/iam/api-keys",
  credentials: [
    {
      key: "accountSid",
      label: "Account SID",
      help: "Twilio Console → Account Info (AC…).",
      schema: sid("AC"),
      isPublic: true,
    },
    secret("authToken", "Auth token", "Twilio Console → Account Info, below the account SID.", TOKEN_FORM),
    {
      key: "apiKeySid",
      label: "API key SID",
      help: "Twilio Console → Account → API keys & tokens → Create API key, of the type Standard (SK…).",
      schema: sid("SK"),
      isPublic: true,
      form: KEY_FORM,
    },
    secret("apiKeySecret", "API key secret", "Shown once, when the key is created.", KEY_FORM),
  ],
  settings: [
    {
      key: "sender",
      label: "Sender",
      help: "A number of the account, a messaging service (MG…), or a name where the country allows one.",
      placeholder: "+14155550100",
      schema: sender,
    },
  ],
  identityOf: ({ settings }) => settings.sender ?? "",
  authorized: ({ accountSid = "", authToken = "", apiKeySid, apiKeySecret = "" }) => ({
    authorization: apiKeySid === undefined ? basic(accountSid, authToken) : basic(apiKeySid, apiKeySecret),
  }),
  refusalOf,
  verify,
  actions,
};
