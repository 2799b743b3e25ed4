import type { Verified } from "../../connector.ts";

export async function verify(): Promise<Verified> {
  return { account: "Demo shop" };
}
