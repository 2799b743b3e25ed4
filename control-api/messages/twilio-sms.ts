import { request } from "undici";
import type { Carrier } from "./message.ts";

const TIMEOUT_MS = 15_000;

export interface TwilioSmsOptions {
  readonly apiUrl: string;
  readonly accountSid: string;
  readonly authToken: string;
  /** A number in E.164, or the id of a messaging service (`MG…`). */
  readonly from: string;
}

/** SMS by Twilio: `POST /2010-04-01/Accounts/{sid}/Messages.json`. */
export function createTwilioSms({ apiUrl, accountSid, authToken, from }: TwilioSmsOptions): Carrier {
  const url = `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`;
  const sender = from.startsWith("MG") ? { MessagingServiceSid: from } : { From: from };
  return {
    send: async (message) => {
      if (message.channel !== "phone") throw new Error("this carrier takes SMS only");
      const { statusCode, body } = await request(url, {
        method: "POST",
        headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ To: message.to, Body: message.text, ...sender }).toString(),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await body.dump();
      if (statusCode >= 300) throw new Error(`Twilio answered ${statusCode}`);
    },
  };
}
