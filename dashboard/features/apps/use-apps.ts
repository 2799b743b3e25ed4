import type { AppSummary } from "@parley/shared/contracts/apps.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

/** Those of the organization, and those that are listed for all; each with how it is installed. */
export function useApps(): Data<{ apps: AppSummary[] }> {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/apps`;
  return useData(path, () => session.call<{ apps: AppSummary[] }>(path, { method: "GET", orgId: org.id }), {
    isList: true,
  });
}

export type InstalledApp = AppSummary & { readonly install: NonNullable<AppSummary["install"]> };

/** Every page asks which apps are shown on it: one request in so long. */
const FRESH_MS = 300_000;

/** Those that are installed, in the order of their names. */
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

/** The same; none while they are loaded, or when that failed. */
export function useInstalledApps(): readonly InstalledApp[] {
  return useInstalled().data ?? [];
}
