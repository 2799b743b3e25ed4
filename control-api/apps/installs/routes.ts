import { Readable } from "node:stream";
import {
  appInstallResponseSchema,
  appParamsSchema,
  changeAppSettingsSchema,
  installAppSchema,
  uninstalledAppResponseSchema,
} from "@parley/shared/contracts/apps.ts";
import { APPS_INSTALL, APPS_READ } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { whileAllowed } from "../../http/while-allowed.ts";
import { byOf } from "../../identity/orgs/acting.ts";
import type { AppParts } from "../deps.ts";
import { exportData } from "./export.ts";
import { changeSettings, install, noteExport, readInstall, uninstall } from "./install.ts";

const APP = "/api/orgs/:orgId/apps/:appId";
const NDJSON = "application/x-ndjson";
const common = { tags: ["apps"], security: USER_SECURITY, params: appParamsSchema };

/** `/api/orgs/{orgId}/apps/{appId}/install`: an organization's consent to an app, and the app's settings. */
export function installRoutes(app: Api, parts: AppParts): void {
  readAndInstall(app, parts);
  changeAndUninstall(app, parts);
  exportRoute(app, parts);
}

function readAndInstall(app: Api, parts: AppParts): void {
  app.get(
    `${APP}/install`,
    {
      config: { access: APPS_READ },
      schema: {
        ...common,
        summary: "Read how an app is installed: scopes, settings, what its active version asks for beyond",
        response: responses(200, appInstallResponseSchema),
      },
    },
    async (request) =>
      success(await readInstall({ orgId: memberOf(request).orgId, appId: request.params.appId }, parts)),
  );
  app.put(
    `${APP}/install`,
    {
      config: { access: APPS_INSTALL },
      schema: {
        ...common,
        summary: "Install the active version, or agree to what it asks for now",
        body: installAppSchema,
        response: responses(200, appInstallResponseSchema),
      },
    },
    async (request) => success(await install(request.params.appId, request.body, byOf(request), parts)),
  );
}

function changeAndUninstall(app: Api, parts: AppParts): void {
  app.patch(
    `${APP}/settings`,
    {
      config: { access: APPS_INSTALL },
      schema: {
        ...common,
        summary: "Change settings; what is left out stays, null takes a value away",
        body: changeAppSettingsSchema,
        response: responses(200, appInstallResponseSchema),
      },
    },
    async (request) =>
      success(await changeSettings(request.params.appId, request.body.settings, byOf(request), parts)),
  );
  app.delete(
    `${APP}/install`,
    {
      config: { access: APPS_INSTALL },
      schema: {
        ...common,
        summary: "Uninstall an app, with its settings and keys",
        response: responses(200, uninstalledAppResponseSchema),
      },
    },
    async (request) => {
      const { appId } = request.params;
      await uninstall(appId, byOf(request), parts);
      return success({ appId, uninstalled: true as const });
    },
  );
}

function exportRoute(app: Api, parts: AppParts): void {
  app.get(
    `${APP}/export`,
    {
      config: { access: APPS_INSTALL },
      schema: {
        ...common,
        summary:
          "Download what an app keeps here: a line of JSON for each record, and for each file with its bytes",
        produces: [NDJSON],
      },
    },
    async (request, reply) => {
      const { appId } = request.params;
      const { orgId } = memberOf(request);
      await noteExport(appId, byOf(request), parts);
      const recheck = async (): Promise<unknown> => request.recheckAccess?.();
      return reply
        .type(NDJSON)
        .header("content-disposition", `attachment; filename="${appId}.ndjson"`)
        .header("cache-control", "no-store")
        .send(Readable.from(whileAllowed(exportData({ orgId, appId }, parts), recheck, parts.clock)));
    },
  );
}
