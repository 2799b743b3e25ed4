import { useLocation, useParams } from "@tanstack/react-router";
import { AppPage as Page } from "../../app/page.tsx";
import { Skeleton } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/messages.tsx";
import { LazyAppFrame } from "./lazy-app-frame.tsx";
import { useInstalled } from "./use-apps.ts";

/** An app's page under a dashboard address. */
export function AppMenuPage() {
  const { id: appId, pageId } = useParams({ from: "/organization/apps/$id/pages/$pageId" });
  // Kept in the history instead of the address: a link does not press an app's button.
  const opened = useLocation({ select: ({ state }) => state.opened });
  const { data, problem } = useInstalled();
  if (data === undefined) return problem === undefined ? <Skeleton /> : <Problem>{problem}</Problem>;
  const app = data.find(({ id }) => id === appId);
  const page = app?.install.ui.pages.find(({ id }) => id === pageId);
  if (app === undefined || page === undefined) {
    return (
      <Page title="App not found">
        <p>This app isn’t installed, or has no such page.</p>
      </Page>
    );
  }
  return (
    <Page title={page.title}>
      <p className="pf-muted">By the app {app.name}</p>
      <LazyAppFrame key={`${appId}/${pageId}`} appId={appId} appName={app.name} pageId={pageId} {...opened} />
    </Page>
  );
}
