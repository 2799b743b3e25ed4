import { z } from "zod";
import type { ConnectorContext, Verified } from "../../connector.ts";
import { read } from "../read.ts";

/** Reads what the actions read, as a key may allow nothing else. */
export async function verify(context: ConnectorContext): Promise<Verified> {
  const { body } = await context.vendor.send({ url: `${base(context)}/orders`, query: { per_page: 1 } });
  read(z.array(z.unknown()), body);
  return { account: (context.settings.url ?? "").replace("https://", "") };
}

export function base({ settings }: ConnectorContext): string {
  return `${settings.url}/wp-json/wc/v3`;
}
