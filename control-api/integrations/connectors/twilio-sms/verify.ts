import { z } from "zod";
import type { ConnectorContext, Verified } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { maybe, read } from "../read.ts";

const account = z.object({ status: z.string(), type: maybe });

export async function verify(context: ConnectorContext): Promise<Verified> {
  const { vendor, credentials, settings } = context;
  const known = { account: settings.sender ?? "" };
  if (credentials.apiKeySid !== undefined) {
    // A standard key can do everything except read the account itself.
    const messages = await vendor.send({
      url: `${accountUrl(context)}/Messages.json`,
      query: { PageSize: 1 },
    });
    read(z.object({ messages: z.array(z.unknown()) }), messages.body);
    return known;
  }
  const { body } = await vendor.send({ url: `${accountUrl(context)}.json` });
  const { status, type } = read(account, body);
  if (status !== "active") throw new VendorError("denied", `This Twilio account is ${status}.`);
  const warnings =
    type === "Trial" ? ["This is a trial account: it sends to numbers that were verified only."] : [];
  return { ...known, warnings };
}

export function accountUrl({ credentials }: ConnectorContext): string {
  return `https://api.twilio.com/2010-04-01/Accounts/${credentials.accountSid}`;
}
