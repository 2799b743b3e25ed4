import { z } from "zod";
import type { ConnectorContext, Verified } from "../../connector.ts";
import { id, maybe, read } from "../read.ts";

export const API = "https://api.hubapi.com";

const details = z.object({ portalId: id, uiDomain: maybe });

export async function verify({ vendor }: ConnectorContext): Promise<Verified> {
  const { body } = await vendor.send({ url: `${API}/account-info/v3/details` });
  const { portalId, uiDomain } = read(details, body);
  return { account: `HubSpot ${portalId}`, facts: { portalId, uiDomain: uiDomain ?? "app.hubspot.com" } };
}
