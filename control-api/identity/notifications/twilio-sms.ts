import type { Carrier } from "./message.ts";

const TIMEOUT_MS = 15_000;

export interface TwilioSmsOptions {
  readonly apiUrl: string;
  readonly accountSid: string;
  readonly authToken: string;
  /** An E.164 number, or the id of a messaging service (`MG…`). */
  readonly from: string;
}

/** Sends SMS through Twilio: `POST /2010-04-01/Accounts/{sid}/Messages.json`. */
export function createTwilioSms({ apiUrl, accountSid, authToken, from }: TwilioSmsOptions): Carrier {
  const url = `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`;
  const sender = from.startsWith("MG") ? { MessagingServiceSid: from } : { From: from };
  return {
    send: async (message) => {
      if (message.channel !== "phone") throw new Error("this carrier takes SMS only");
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization },
        body: new URLSearchParams({ To: message.to, Body: message.text, ...sender }),
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`Twilio answered ${response.status}`);
    },
  };
}
