import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { AppError } from "@parley/shared/errors.ts";
import { isAllowedAddress, parseCidrs } from "@parley/shared/net/address-rules.ts";

export interface UrlRules {
  /** CIDRs of private addresses that are allowed all the same (ALLOW_PRIVATE_TARGETS). */
  readonly allowPrivateTargets: readonly string[];
  /** All addresses of a name; the system's resolver when absent. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
}

/**
 * Vets the address of an endpoint when it is registered; each attempt vets it again when it connects. `http://` is
 * for the addresses that ALLOW_PRIVATE_TARGETS opens for development. Throws `AppError` bad_request,
 * blocked_address.
 */
export async function vetEndpointUrl(
  text: string,
  { allowPrivateTargets, resolve = resolveAll }: UrlRules,
): Promise<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new AppError("bad_request", "The url must begin with https://.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new AppError("bad_request", "The url must not have a user name or password in it.");
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = isIP(host) !== 0 ? [host] : await addressesOf(host, resolve);
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

async function addressesOf(host: string, resolve: NonNullable<UrlRules["resolve"]>): Promise<string[]> {
  const found = await resolve(host).catch(() => []);
  if (found.length === 0)
    throw new AppError("bad_request", `The name ${host} leads nowhere; is it spelled right?`);
  return found.map(({ address }) => address);
}

function resolveAll(host: string): Promise<readonly LookupAddress[]> {
  return lookup(host, { all: true, verbatim: true });
}
