import { isIPv6 } from "node:net";
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";

const ANY = ["0.0.0.0", "::"];

export interface OwnAddressOptions {
  /** The address the process listens on. */
  readonly host: string;
  readonly port: number;
  /** PRIVATE_HOST, which takes precedence. */
  readonly privateHost: string | undefined;
}

/** `host:port` at which other machines of the installation reach this process, as far as it can know. */
export function ownAddress(
  { host, port, privateHost }: OwnAddressOptions,
  interfaces: readonly NetworkInterfaceInfo[] = interfacesOfMachine(),
): string {
  const name = privateHost ?? (ANY.includes(host) ? (firstAddress(interfaces) ?? "127.0.0.1") : host);
  return `${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

function firstAddress(interfaces: readonly NetworkInterfaceInfo[]): string | undefined {
  const outer = interfaces.filter(({ internal }) => !internal);
  return (outer.find(({ family }) => family === "IPv4") ?? outer.find(({ scopeid }) => !scopeid))?.address;
}

function interfacesOfMachine(): NetworkInterfaceInfo[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
}
