import type { ConsentTokens } from "../deps.ts";
import { VendorError } from "./vendor.ts";

/** The access token as consent left it; nothing renews it. */
export const storedTokens: ConsentTokens = (_connection, { name }, { credentials }) => ({
  token: async () => {
    const { accessToken } = credentials;
    if (accessToken !== undefined) return accessToken;
    throw new VendorError("unauthorized", `Nobody has given consent at ${name} yet.`);
  },
  renewed: async () => {
    throw new VendorError("unauthorized", `${name} does not accept the token any more; connect it again.`);
  },
});
