import type { CONTRIBUTION_SURFACES } from "@parley/platform/manifest/surfaces.ts";
import { useNavigate } from "@tanstack/react-router";
import { useAppsHost } from "./apps-host-context.ts";
import { type InstalledApp, useInstalledApps } from "./use-apps.ts";

type Contribution = InstalledApp["install"]["ui"]["contributions"][number];

/** Buttons that installed apps add to the toolbar of a list. */
export function AppActions({ surface }: { readonly surface: (typeof CONTRIBUTION_SURFACES)[number] }) {
  const host = useAppsHost();
  const navigate = useNavigate();
  const actions = useInstalledApps().flatMap((app) =>
    app.install.ui.contributions
      .filter((one) => one.kind === "list_action" && one.surface === surface)
      .map((contribution) => ({ app, contribution })),
  );
  if (actions.length === 0) return null;
  const press = ({ id: appId, name }: InstalledApp, { id, pageId, modal }: Contribution): void => {
    if (pageId === null) return;
    if (!modal) return void navigate({ to: "/apps/$id/pages/$pageId", params: { id: appId, pageId } });
    host.openModal({ appId, appName: name, pageId, context: {}, size: "medium", contributionId: id });
  };
  return (
    <div className="row app-actions">
      {actions.map(({ app, contribution }) => (
        <button
          key={`${app.id}/${contribution.id}`}
          type="button"
          className="pf-btn"
          title={`By the app ${app.name}`}
          onClick={() => press(app, contribution)}
        >
          {contribution.label} <span className="pf-muted app-owner">{app.name}</span>
        </button>
      ))}
    </div>
  );
}
