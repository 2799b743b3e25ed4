import { BUNDLE_LIMITS } from "@parley/platform/publish-checks/bundle-limits.ts";
import {
  appParamsSchema,
  appResponseSchema,
  appsResponseSchema,
  appVersionParamsSchema,
  appVersionResponseSchema,
  listAppsQuerySchema,
  publishAppQuerySchema,
  publishedAppResponseSchema,
} from "@parley/shared/contracts/apps.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { AppError } from "@parley/shared/errors.ts";
import { APPS_PUBLISH, APPS_READ, APPS_UPLOAD } from "../../http/access/rules.ts";
import { actorOf, memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { byOf } from "../../identity/orgs/acting.ts";
import type { AppParts } from "../deps.ts";
import { activate, publish, withdraw } from "./publish.ts";
import { toSummaries, toVersion } from "./shown.ts";
import { findVisibleApp, installedApps, listVersions, visibleApps } from "./store.ts";

const APPS = "/api/orgs/:orgId/apps";
const APP = `${APPS}/:appId`;
const VERSION = `${APP}/versions/:version`;
const ZIP_TYPES = ["application/zip", "application/x-zip-compressed"];
/** More than anyone looks through. */
const MAX_LISTED = 500;
const common = { tags: ["apps"], security: USER_SECURITY };

/** `/api/orgs/{orgId}/apps`: the catalog, and what an organization publishes. */
export async function bundleRoutes(app: Api, parts: AppParts): Promise<void> {
  readRoutes(app, parts);
  versionRoutes(app, parts);
  await publishRoute(app, parts);
}

function readRoutes(app: Api, { database }: AppParts): void {
  app.get(
    APPS,
    {
      config: { access: APPS_READ },
      schema: {
        ...common,
        summary:
          "List apps: those of the organization and those that are listed for all, each with how it is installed",
        params: orgParamsSchema,
        querystring: listAppsQuerySchema,
        response: responses(200, appsResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = memberOf(request);
      const among = request.query.installed === "true" ? installedApps : visibleApps;
      const rows = await among(database.db, orgId).orderBy("apps.name").limit(MAX_LISTED).execute();
      const apps = await toSummaries(database.db, orgId, rows);
      return success({ apps, total: apps.length });
    },
  );
  app.get(
    APP,
    {
      config: { access: APPS_READ },
      schema: {
        ...common,
        summary: "Read an app with its versions; of another organization's app, the active one",
        params: appParamsSchema,
        response: responses(200, appResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = memberOf(request);
      const row = await findVisibleApp(database.db, orgId, request.params.appId);
      const [summary] = await toSummaries(database.db, orgId, [row]);
      if (!summary) throw new AppError("not_found", `There is no app ${row.id}.`);
      const versions = (await listVersions(database.db, row.id)).filter(
        ({ version }) => row.org_id === orgId || version === row.active_version,
      );
      return success({ ...summary, versions: versions.map((version) => toVersion(version, row)) });
    },
  );
}

function versionRoutes(app: Api, parts: AppParts): void {
  const schema = {
    ...common,
    params: appVersionParamsSchema,
    response: responses(200, appVersionResponseSchema),
  };
  app.post(
    `${VERSION}/activate`,
    {
      config: { access: APPS_PUBLISH },
      schema: {
        ...schema,
        summary: "Make a version the active one: a newer one, or one from before to roll back",
      },
    },
    async (request) => success(await activate(request.params, byOf(request), parts)),
  );
  app.post(
    `${VERSION}/withdraw`,
    {
      config: { access: APPS_PUBLISH },
      schema: { ...schema, summary: "Withdraw a version: nobody may run it any more" },
    },
    async (request) => success(await withdraw(request.params, byOf(request), parts)),
  );
}

async function publishRoute(app: Api, parts: AppParts): Promise<void> {
  await app.register((scope: Api, _options, done) => {
    scope.addContentTypeParser(
      ZIP_TYPES,
      { parseAs: "buffer", bodyLimit: BUNDLE_LIMITS.zipBytes },
      (_, body, next) => next(null, body),
    );
    scope.post(
      `${APPS}/versions`,
      {
        config: { access: APPS_UPLOAD },
        bodyLimit: BUNDLE_LIMITS.zipBytes,
        schema: {
          ...common,
          security: KEY_OR_USER_SECURITY,
          summary: "Publish a version: the bundle as a zip, with Content-Type: application/zip",
          consumes: ZIP_TYPES,
          params: orgParamsSchema,
          querystring: publishAppQuerySchema,
          response: responses(201, publishedAppResponseSchema),
        },
      },
      async (request, reply) => {
        const zip: unknown = request.body;
        if (!Buffer.isBuffer(zip))
          throw new AppError(
            "bad_request",
            "Send the zip itself as the body, with Content-Type: application/zip.",
          );
        const isActivated = request.query.activate === "true";
        return reply
          .status(201)
          .send(
            success(
              await publish(
                { zip, activate: isActivated },
                { actor: actorOf(request), client: clientOf(request) },
                parts,
              ),
            ),
          );
      },
    );
    done();
  });
}
