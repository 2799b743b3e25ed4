import type { AppInstall } from "@parley/shared/contracts/apps.ts";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage as Page } from "../../app/page.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/later.ts";
import { Loaded, Skeleton } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/messages.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { PreviewPanel } from "./preview-panel.tsx";
import { type AppDetail, useApp } from "./use-app.ts";
import { VersionsPanel } from "./versions-panel.tsx";

const SettingsPanel = later(async () => (await import("./settings-panel.tsx")).SettingsPanel, Skeleton);

type Asking = "install" | "uninstall" | undefined;

/** One app: its permissions, settings and versions. */
export function AppSettingsPage() {
  const { id } = useParams({ from: "/organization/apps/$id" });
  const loaded = useApp(id);
  const queries = useQueryClient();
  const reload = async (): Promise<void> => {
    await Promise.all([loaded.reload(), queries.invalidateQueries()]);
  };
  return (
    <>
      <Link to="/apps" className="back-link">
        <Icon name="back" /> Apps
      </Link>
      <Loaded of={loaded}>
        {({ app, install }) => (
          <Page title={app.name}>
            {app.description !== "" && <p>{app.description}</p>}
            <InstallPanel app={app} install={install} path={loaded.path} onChanged={reload} />
            {install && install.settings.length > 0 && (
              <SettingsPanel install={install} path={loaded.path} onChanged={reload} />
            )}
            {install && <PreviewPanel appId={app.id} />}
            <VersionsPanel app={app} path={loaded.path} onChanged={reload} />
          </Page>
        )}
      </Loaded>
    </>
  );
}

interface InstallPanelProps {
  readonly app: AppDetail;
  readonly install: AppInstall | null;
  readonly path: string;
  readonly onChanged: () => Promise<void>;
}

function InstallPanel({ app, install, path, onChanged }: InstallPanelProps) {
  const { org } = useHere();
  const [asking, ask] = useState<Asking>();
  const isManager = org.role === "owner" || org.role === "admin";
  const active = app.versions.find(({ active: isActive }) => isActive);
  const isBehind = install === null || install.needsConsent;
  return (
    <section className="pf-card panel">
      <h2>Access</h2>
      {install === null ? <p>This app isn’t installed.</p> : <Scopes scopes={install.scopes} />}
      {install?.needsConsent && (
        <p className="message message-problem">
          A newer version asks for more access. The installed one keeps running.
        </p>
      )}
      {!isManager && <p className="pf-muted">Owners and admins install apps.</p>}
      <div className="row">
        {isManager && isBehind && active && (
          <button type="button" className="pf-btn pf-btn-primary" onClick={() => ask("install")}>
            {install === null ? "Install" : "Review update"}
          </button>
        )}
        {isManager && install && (
          <button type="button" className="pf-btn" onClick={() => ask("uninstall")}>
            Uninstall
          </button>
        )}
      </div>
      {asking === "install" && active && (
        <InstallDialog
          app={app}
          version={active}
          path={path}
          onClose={() => ask(undefined)}
          onDone={onChanged}
        />
      )}
      {asking === "uninstall" && (
        <UninstallDialog app={app} path={path} onClose={() => ask(undefined)} onDone={onChanged} />
      )}
    </section>
  );
}

interface DialogProps {
  readonly app: AppDetail;
  readonly path: string;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

function InstallDialog({
  app,
  version: { version, scopes },
  path,
  onClose,
  onDone,
}: DialogProps & { readonly version: AppDetail["versions"][number] }) {
  const session = useSession();
  const { org } = useHere();
  const install = async (): Promise<void> => {
    const body = { version, scopes: scopes.map(({ scope }) => scope) };
    await session.call(`${path}/install`, { method: "PUT", orgId: org.id, body });
    onClose();
    await onDone();
  };
  return (
    <FormDialog
      title={`Install ${app.name} ${version}?`}
      does="Allow and install"
      onSubmit={install}
      onClose={onClose}
    >
      <p>For everyone in {org.name}, as far as their role allows, it can:</p>
      <Scopes scopes={scopes} />
      <p className="pf-muted">
        Links and pop-ups that people open from an app can take what it shows to other sites. Install apps you
        trust.
      </p>
    </FormDialog>
  );
}

function UninstallDialog({ app, path, onClose, onDone }: DialogProps) {
  const session = useSession();
  const { org } = useHere();
  const uninstall = async (): Promise<void> => {
    await session.call(`${path}/install`, { method: "DELETE", orgId: org.id });
    onClose();
    await onDone();
  };
  return (
    <FormDialog
      title={`Uninstall ${app.name}?`}
      does="Uninstall"
      isDanger
      onSubmit={uninstall}
      onClose={onClose}
    >
      <p>Its panels disappear. Its settings, keys, records and files are deleted.</p>
      <DownloadData appId={app.id} path={path} />
    </FormDialog>
  );
}

/** Downloads the app's data before it is deleted. */
function DownloadData({ appId, path }: { readonly appId: string; readonly path: string }) {
  const session = useSession();
  const { org } = useHere();
  const [problem, setProblem] = useState<string>();
  const download = async (): Promise<void> => {
    setProblem(undefined);
    try {
      const response = await session.open(`${path}/export`, { method: "GET", orgId: org.id });
      saveFile(await response.blob(), `${appId}.ndjson`);
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  return (
    <>
      <button type="button" className="pf-btn" onClick={() => void download()}>
        Download its data
      </button>
      {problem && <Problem>{problem}</Problem>}
    </>
  );
}

function Scopes({ scopes }: { readonly scopes: AppInstall["scopes"] }) {
  if (scopes.length === 0) return <p>It can show pages, and nothing else.</p>;
  return (
    <ul className="app-lines">
      {scopes.map(({ scope, words }) => (
        <li key={scope}>{words}</li>
      ))}
    </ul>
  );
}
