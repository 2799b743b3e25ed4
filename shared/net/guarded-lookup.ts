import { isIP, type LookupFunction } from "node:net";
import { AppError } from "../errors.ts";
import { type Cidr, isAllowedAddress } from "./address-rules.ts";
import type { Resolve } from "./names/system-resolver.ts";

/** Whether a literal address may be connected to; names are vetted when they are resolved. */
export function isAllowedHost(host: string, allowed: readonly Cidr[]): boolean {
  const literal = host.replace(/^\[(.*)\]$/, "$1");
  return isIP(literal) === 0 || isAllowedAddress(literal, allowed);
}

/** Vets a complete DNS answer at connect time: one bad address refuses the name. */
export function guardedLookup(resolve: Resolve, allowed: readonly Cidr[]): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        const isClean = addresses.every(({ address }) => isAllowedAddress(address, allowed));
        if (!first || !isClean) callback(blockedAddress(), []);
        else if (all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

export function blockedAddress(): AppError {
  return new AppError(
    "blocked_address",
    "The address is private or reserved; ALLOW_PRIVATE_TARGETS can open it for development.",
  );
}
