import { z } from "zod";
import type { ConnectorContext, Verified } from "../../connector.ts";
import { id, maybe, read } from "../read.ts";

export const API = "https://api.pipedrive.com";

const me = z.object({ data: z.object({ company_id: id, company_name: maybe, company_domain: maybe }) });

export async function verify({ vendor }: ConnectorContext): Promise<Verified> {
  const { body } = await vendor.send({ url: `${API}/v1/users/me` });
  const { company_id, company_name, company_domain } = read(me, body).data;
  return {
    account: company_name ?? `Pipedrive ${company_id}`,
    facts: company_domain === null ? {} : { companyDomain: company_domain },
  };
}
