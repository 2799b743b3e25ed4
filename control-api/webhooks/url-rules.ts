import { isIP } from "node:net";
import { AppError } from "@parley/shared/errors.ts";
import { isAllowedAddress, parseCidrs } from "@parley/shared/net/address-rules.ts";
import { codeOf } from "@parley/shared/net/names/lookup-error.ts";
import type { NameLookups } from "@parley/shared/net/names/name-lookups.ts";
import { parseUrl } from "@parley/shared/urls.ts";

export interface UrlRules {
  /** CIDRs of private addresses that are allowed nonetheless (ALLOW_PRIVATE_TARGETS). */
  readonly allowPrivateTargets: readonly string[];
  readonly names: Pick<NameLookups, "lookUp">;
}

/**
 * Vets an endpoint's address at registration; each attempt vets it again when connecting. `http://` requires an address
 * opened by ALLOW_PRIVATE_TARGETS for development. The lookup is bounded in time and by the organization's share.
 * Throws `AppError` bad_request, blocked_address.
 */
export async function vetEndpointUrl(
  text: string,
  orgId: string,
  { allowPrivateTargets, names }: UrlRules,
): Promise<string> {
  const url = parseUrl(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new AppError("bad_request", "The url must begin with https://.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new AppError("bad_request", "The url must not have a user name or password in it.");
  }
  if (url.port === "0") throw new AppError("bad_request", "The url has port 0, at which nobody listens.");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = isIP(host) !== 0 ? [host] : await addressesOf(host, orgId, names);
  const privately = parseCidrs(allowPrivateTargets);
  if (!addresses.every((address) => isAllowedAddress(address, privately))) {
    throw new AppError(
      "blocked_address",
      "The url leads to a private or reserved address; use a public one.",
    );
  }
  const isOpened = addresses.every((address) => !isAllowedAddress(address, []));
  if (url.protocol === "http:" && !isOpened)
    throw new AppError("bad_request", "The url must begin with https://.");
  return url.href;
}

async function addressesOf(host: string, orgId: string, names: UrlRules["names"]): Promise<string[]> {
  try {
    const found = await names.lookUp(orgId, host);
    if (found.length > 0) return found.map(({ address }) => address);
  } catch (error) {
    if (codeOf(error) !== "ENOTFOUND") {
      throw new AppError(
        "bad_request",
        `The name ${host} could not be looked up (${codeOf(error)}): its name servers gave no answer in time; try again shortly.`,
        { cause: error },
      );
    }
  }
  throw new AppError("bad_request", `The name ${host} was not found. Check its spelling.`);
}
