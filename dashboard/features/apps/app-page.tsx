import { useParams } from "@tanstack/react-router";
import { AppPage as Page } from "../../app/page.tsx";
import { Skeleton } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/messages.tsx";
import { LazyAppFrame } from "./lazy-app-frame.tsx";
import { useInstalled } from "./use-apps.ts";

/** A page of an app under an address of the dashboard. */
export function AppMenuPage() {
  const { id: appId, pageId } = useParams({ from: "/organization/apps/$id/pages/$pageId" });
  const { data, problem } = useInstalled();
  if (data === undefined) return problem === undefined ? <Skeleton /> : <Problem>{problem}</Problem>;
  const app = data.find(({ id }) => id === appId);
  const page = app?.install.ui.pages.find(({ id }) => id === pageId);
  if (app === undefined || page === undefined) {
    return (
      <Page title="App not found">
        <p>This app isn't installed, or has no such page.</p>
      </Page>
    );
  }
  return (
    <Page title={page.title}>
      <p className="pf-muted">By the app {app.name}</p>
      <LazyAppFrame key={`${appId}/${pageId}`} appId={appId} appName={app.name} pageId={pageId} />
    </Page>
  );
}
