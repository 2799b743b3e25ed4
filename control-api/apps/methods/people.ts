import type { Clock } from "@parley/shared/clock.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";
import { SignJWT } from "jose";
import type { Database } from "../../database/open.ts";
import { selectMembers } from "../../identity/memberships/store.ts";
import type { SigningKeys } from "../../identity/sign-ins/signing-keys.ts";
import type { Handlers } from "../bridge/handlers.ts";

const TOKEN_LIFETIME_SECS = 5 * 60;
const ALGORITHM = "EdDSA";
const ISSUER = "parley-control-api";
/** The type keeps these tokens apart from everything else that the same keys sign. */
const TYPE = "app+jwt";

export interface PeopleDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly signingKeys: Pick<SigningKeys, "current">;
}

/** Members, and for the app's own backend a signed token of the user. */
export function peopleMethods({ database, clock, signingKeys }: PeopleDeps): Handlers {
  return {
    "members.list": async (_, { caller }) => {
      const members = await selectMembers(database.db, caller.orgId).execute();
      return members.map(({ userId, name, email, role }) => ({
        id: userId,
        name: name || null,
        email: email ?? "",
        role,
      }));
    },
    "softphone.dial": async ({ phone }) => ({ phone }),
    "session.token": async (_, { caller }) => {
      const nowSecs = Math.floor(clock.wallMs() / 1_000);
      const { kid, privateKey } = signingKeys.current();
      const token = await new SignJWT({ org: caller.orgId, role: caller.role, app: caller.appId })
        .setProtectedHeader({ alg: ALGORITHM, kid, typ: TYPE })
        .setIssuer(ISSUER)
        .setAudience(`app:${caller.appId}`)
        .setSubject(caller.userId)
        .setJti(randomToken(12))
        .setIssuedAt(nowSecs)
        .setExpirationTime(nowSecs + TOKEN_LIFETIME_SECS)
        .sign(privateKey);
      return { token };
    },
  };
}
