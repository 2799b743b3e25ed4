import { isIP, isIPv6 } from "node:net";

const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/;
const MAX_PORT = 65_535;

/** True for `1.2.3.4`, `1.2.3.4:53`, `fd00::2`, or `[fd00::2]:53`, the formats of c-ares. */
export function isDnsServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, v6, v4, port] = WITH_PORT.exec(text) ?? [];
  const isAddress = v6 === undefined ? isIP(v4 ?? "") === 4 : isIPv6(v6);
  return isAddress && Number(port) > 0 && Number(port) <= MAX_PORT;
}
