import { deleteEnded } from "../modules/delete-ended.ts";
import type { Module } from "../modules/module.ts";
import { accountRoutes } from "./accounts/account-routes.ts";
import { deleteOldResets } from "./accounts/reset-store.ts";
import { signInRoutes } from "./accounts/sign-in-routes.ts";
import { apiKeyRoutes } from "./api-keys/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { meRoutes } from "./me/routes.ts";
import { deleteOldPending } from "./mfa/store.ts";
import { outboxRoutes } from "./notifications/routes.ts";
import { oidcRoutes } from "./oidc/routes.ts";
import { deleteOldFlows } from "./oidc/store.ts";
import { type IdentityDeps, type IdentityParts, openParts } from "./open-identity.ts";
import { orgRoutes } from "./orgs/routes.ts";
import { deleteOldCodes } from "./otp/store.ts";
import { tokenRoutes } from "./sign-ins/routes.ts";
import { deleteOldSessions } from "./sign-ins/session-store.ts";

const DELETIONS = [deleteOldSessions, deleteOldCodes, deleteOldResets, deleteOldPending, deleteOldFlows];

/** Accounts, organizations and credentials. The other districts use its parts. */
export async function openIdentity(deps: IdentityDeps): Promise<{ module: Module; parts: IdentityParts }> {
  const parts = await openParts(deps);
  const { identity, signingKeys, providers, messenger } = parts;
  const module: Module = {
    name: "identity",
    routes: (app) => {
      signInRoutes(app, identity);
      oidcRoutes(app, { identity, providers, secrets: deps.secrets, hasDemo: deps.config.demo.isOn });
      tokenRoutes(app, { identity, signingKeys });
      accountRoutes(app, identity);
      orgRoutes(app, identity);
      apiKeyRoutes(app, identity);
      auditRoutes(app, deps);
      meRoutes(app);
      if (messenger.outbox) outboxRoutes(app, messenger.outbox);
    },
    jobs: [deleteEnded("identity", DELETIONS, { ...deps, database: deps.database.background })],
    stop: parts.close,
  };
  return { module, parts };
}
