import type { ConnectorContext, Verified } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";

export async function verify({ vendor, settings, credentials }: ConnectorContext): Promise<Verified> {
  const { url = "", testPath } = settings;
  const { headerName, headerValue, username, password } = credentials;
  if (
    (headerName === undefined) !== (headerValue === undefined) ||
    (password !== undefined && username === undefined)
  ) {
    throw new VendorError(
      "rejected",
      "Enter a header's name and its value, or a user name and its password.",
    );
  }
  if (testPath !== undefined) await vendor.send({ url: `${url}${testPath}` });
  return {
    account: new URL(url).host,
    warnings: [
      ...(testPath === undefined ? ["Nothing was asked: enter a test path to see whether it works."] : []),
      ...(url.startsWith("http:") ? ["This address has no https: credentials are sent readably."] : []),
    ],
  };
}
