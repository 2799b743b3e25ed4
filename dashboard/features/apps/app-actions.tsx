import type { CONTRIBUTION_SURFACES } from "@parley/platform/manifest/surfaces.ts";
import { useNavigate } from "@tanstack/react-router";
import { useAppsHost } from "./apps-host-context.ts";
import { type InstalledApp, useInstalledApps } from "./use-apps.ts";

type Contribution = InstalledApp["install"]["ui"]["contributions"][number];

interface AppActionsProps {
  readonly surface: (typeof CONTRIBUTION_SURFACES)[number];
  /** Context for the opened page about where the button is, such as `campaignId`. */
  readonly context?: Readonly<Record<string, string>>;
}

/** Buttons that installed apps add to a list's toolbar. */
export function AppActions({ surface, context = {} }: AppActionsProps) {
  const host = useAppsHost();
  const navigate = useNavigate();
  const all = useInstalledApps().flatMap((app) =>
    app.install.ui.contributions
      .filter((one) => one.kind === "list_action" && one.surface === surface)
      .map((contribution) => ({ app, contribution })),
  );
  if (all.length === 0) return null;
  const isRight = ({ contribution }: (typeof all)[number]): boolean => contribution.align === "right";
  const actions = [...all.filter((one) => !isRight(one)), ...all.filter(isRight)];
  const firstRight = actions.find(isRight);
  const press = ({ id: appId, name }: InstalledApp, { id, pageId, modal }: Contribution): void => {
    if (pageId === null) return;
    const opened = { contributionId: id, context };
    if (modal) host.openModal({ appId, appName: name, pageId, size: "medium", ...opened });
    else void navigate({ to: "/apps/$id/pages/$pageId", params: { id: appId, pageId }, state: { opened } });
  };
  return (
    <div className="row app-actions">
      {actions.map((action) => (
        <button
          key={`${action.app.id}/${action.contribution.id}`}
          type="button"
          className={action === firstRight ? "pf-btn app-action-right" : "pf-btn"}
          data-tip={`By the app ${action.app.name}`}
          onClick={() => press(action.app, action.contribution)}
        >
          {action.contribution.label} <span className="pf-muted app-owner">{action.app.name}</span>
        </button>
      ))}
    </div>
  );
}
