import { z } from "zod";
import type { ConnectorContext, Verified } from "../../connector.ts";
import { read } from "../read.ts";

export const API = "https://slack.com/api";

const tested = z.object({ ok: z.literal(true), team: z.string(), team_id: z.string() });

export async function verify({ vendor }: ConnectorContext): Promise<Verified> {
  const { body, headers } = await vendor.send({ method: "POST", url: `${API}/auth.test` });
  const { team } = read(tested, body);
  const scopes = headers["x-oauth-scopes"];
  const mayWrite = typeof scopes !== "string" || scopes.split(/[,\s]+/).includes("chat:write");
  return {
    account: team,
    warnings: mayWrite ? [] : ["The scope chat:write is missing: add it to the app and install it again."],
  };
}
