import { ApiError, callApi, type SignedIn } from "../api-call.ts";
import { CliError } from "../cli-error.ts";
import { clean } from "../output.ts";
import type { RehearseOptions } from "./rehearse-options.ts";

const UNAUTHORIZED = 401;

type Account = Pick<RehearseOptions, "api" | "person" | "orgId">;

/** Signs in unless a token is given, and finds the organization. Throws `ApiError`, `CliError`. */
export async function signIn({ api, person, orgId }: Account, signal: AbortSignal): Promise<SignedIn> {
  const token = "token" in person ? person.token : await tokenOf(api, person, signal);
  if (orgId !== undefined) return { api, token, orgId };
  const { data } = await callApi({ api, token }, { method: "GET", path: "/api/auth/me", signal });
  const { organizations = [] } = data as { organizations?: readonly { id: string; name: string }[] };
  const [only, ...others] = organizations;
  if (only && others.length === 0) return { api, token, orgId: only.id };
  const names = organizations.map(({ id, name }) => `${id} (${clean(name)})`).join(", ");
  throw new CliError(
    only
      ? `The account is in several organizations; choose one with --org: ${names}.`
      : "The account is in no organization. Create one in the dashboard.",
  );
}

async function tokenOf(
  api: string,
  body: { readonly email: string; readonly password: string },
  signal: AbortSignal,
): Promise<string> {
  const request = { method: "POST", path: "/api/auth/login", signal, body } as const;
  const { data } = await callApi({ api }, request).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== UNAUTHORIZED) throw error;
    throw new CliError(`${clean(error.message)} Check PARLEY_EMAIL and PARLEY_PASSWORD.`);
  });
  const accessToken = (data as { tokens?: { accessToken?: unknown } }).tokens?.accessToken;
  if (typeof accessToken === "string") return accessToken;
  throw new CliError(
    "This account uses two-factor authentication. Use an account without it, or set PARLEY_TOKEN.",
  );
}
