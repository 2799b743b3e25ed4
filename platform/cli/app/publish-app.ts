import { zipSync } from "fflate";
import { checkBundle } from "../../publish-checks/check-bundle.ts";
import { lineOf } from "../../publish-checks/problem.ts";
import { type Connection, callApi } from "../api-call.ts";
import { CliError } from "../cli-error.ts";
import type { Stream } from "../output.ts";
import { buildApp } from "./build-app.ts";

const UPLOAD_MS = 60_000;

/** Builds an app and prints what publishing would report. Throws `CliError` when publishing would be refused. */
export async function validateApp(dir: string, out: Stream): Promise<Map<string, Uint8Array>> {
  const files = await buildApp(dir);
  const { problems, isPublishable, manifest } = checkBundle(files);
  for (const problem of problems) out.write(`${lineOf(problem)}\n`);
  if (!isPublishable || !manifest) throw new CliError("The app cannot be published like this.");
  out.write(`${manifest.name} ${manifest.version} can be published.\n`);
  return files;
}

/**
 * Validates the app and uploads it as a version, active unless `activate` is false. Throws `CliError`,
 * `ApiError`.
 */
export async function publishApp(
  { dir, activate, ...connection }: Connection & { readonly dir: string; readonly activate: boolean },
  { out, signal }: { readonly out: Stream; readonly signal: AbortSignal },
): Promise<void> {
  const files = await validateApp(dir, out);
  const { organization } = await callApi(connection, { method: "GET", path: "/api/v1/me", signal });
  const orgId = String((organization as { id?: unknown } | undefined)?.id);
  const path = `/api/orgs/${orgId}/apps/versions?activate=${activate}`;
  const zip = zipSync(Object.fromEntries(files));
  const { app } = dataOf(
    await callApi(connection, { method: "POST", path, signal, zip, extraMs: UPLOAD_MS }),
  );
  const { id, install } = app as { readonly id: string; readonly install: object | null };
  out.write(`Published.${activate ? "" : " Activate it on its page."}\n`);
  if (install === null) out.write("An owner or admin installs it under Apps.\n");
  out.write(`${connection.api}/apps/${id}\n`);
}

function dataOf({ data }: Record<string, unknown>): Record<string, unknown> {
  return (data ?? {}) as Record<string, unknown>;
}
