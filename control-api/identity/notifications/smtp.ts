import { createTransport } from "nodemailer";
import type { Carrier } from "./message.ts";

const TIMEOUT_MS = 15_000;

/** Mail by SMTP; `url` as in `smtps://user:password@mail.example`. */
export function createSmtpCarrier({ url, from }: { readonly url: string; readonly from: string }): Carrier {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async (message) => {
      if (message.channel !== "email") throw new Error("this carrier takes mail only");
      const { to, subject, text } = message;
      // An address object is not parsed again, so an address cannot smuggle in a second one.
      await transport.sendMail({ from, to: { name: "", address: to }, subject, text });
    },
  };
}
