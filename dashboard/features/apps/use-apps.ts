import type { AppSummary } from "@parley/shared/contracts/apps.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

/** The organization's apps and the publicly listed ones, each with its installation. */
export function useApps(): Data<{ apps: AppSummary[] }> {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/apps`;
  return useData(path, () => session.call<{ apps: AppSummary[] }>(path, { method: "GET", orgId: org.id }), {
    isList: true,
  });
}

export type InstalledApp = AppSummary & { readonly install: NonNullable<AppSummary["install"]> };

/** Every page asks which apps it shows: one request per this period. */
const FRESH_MS = 300_000;

/** Installed apps, sorted by name. */
export function useInstalled(): Data<readonly InstalledApp[]> {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/apps?installed=true`;
  const load = async (): Promise<readonly InstalledApp[]> => {
    const { apps } = await session.call<{ apps: AppSummary[] }>(path, { method: "GET", orgId: org.id });
    return apps.filter((app): app is InstalledApp => app.install !== null);
  };
  return useData(path, load, { isList: true, freshMs: FRESH_MS });
}

/** Installed apps; empty while loading or after a failure. */
export function useInstalledApps(): readonly InstalledApp[] {
  return useInstalled().data ?? [];
}
