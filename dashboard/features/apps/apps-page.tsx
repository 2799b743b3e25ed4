import type { AppSummary } from "@parley/shared/contracts/apps.ts";
import { Link } from "@tanstack/react-router";
import { AppPage as Page } from "../../app/page.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PublishButton } from "./publish-form.tsx";
import { useApps } from "./use-apps.ts";

/** Every app the organization may use. */
export function AppsPage() {
  const loaded = useApps();
  return (
    <Page title="Apps">
      <div className="row row-spread">
        <p className="pf-muted">Pages, panels and buttons of your own in this dashboard.</p>
        <PublishButton onPublished={loaded.reload} />
      </div>
      <Loaded of={loaded}>
        {({ apps }) =>
          apps.length === 0 ? (
            <div className="pf-card panel">
              <h2>Add your own pages and actions</h2>
              <p>
                No apps yet. Create one with <code>npx parley app create</code>, publish it, and install it
                here. It acts with the permissions that you give it.
              </p>
            </div>
          ) : (
            <ul className="app-list">
              {apps.map((app) => (
                <AppCard key={app.id} app={app} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

function AppCard({ app }: { readonly app: AppSummary }) {
  return (
    <li className="pf-card panel">
      <h2>
        <Link to="/apps/$id" params={{ id: app.id }}>
          {app.name}
        </Link>{" "}
        <span className="pf-badge">{stateOf(app)}</span>
      </h2>
      {app.description !== "" && <p>{app.description}</p>}
      <p className="pf-muted">
        {app.own ? "Published by your organization" : "Published by another organization"}
      </p>
    </li>
  );
}

function stateOf({ install, activeVersion }: AppSummary): string {
  if (install?.needsConsent) return "Update needs approval";
  if (install) return `Installed, ${install.version}`;
  return activeVersion === null ? "No active version" : "Not installed";
}
