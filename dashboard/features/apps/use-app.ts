import type { AppInstall, AppSummary, AppVersion } from "@parley/shared/contracts/apps.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

export type AppDetail = AppSummary & { readonly versions: readonly AppVersion[] };

/** One app with its versions and its installation; `install` is null where it is not installed. */
export function useApp(
  id: string,
): Data<{ app: AppDetail; install: AppInstall | null }> & { readonly path: string } {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/apps/${id}`;
  const options = { method: "GET", orgId: org.id } as const;
  const loaded = useData(path, async () => {
    const app = await session.call<AppDetail>(path, options);
    const install = app.install === null ? null : await session.call<AppInstall>(`${path}/install`, options);
    return { app, install };
  });
  return { ...loaded, path };
}
