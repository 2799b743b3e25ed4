import { devFrameAddress, frameAddress } from "@parley/platform/host/frame-address.ts";
import { methodShapes } from "@parley/platform/host/method-shapes.ts";
import type { AppFrame as OpenedFrame } from "@parley/shared/contracts/apps.ts";
import { BRIDGE_VERSION, type FrameInit } from "platform/wire";
import { useEffect, useRef, useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import type { Session } from "../../api/session.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Skeleton } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/messages.tsx";
import { type AppsHost, useAppsHost } from "./apps-host-context.ts";
import { mayPreview, previewOf, setPreview } from "./dev-preview.ts";
import { FrameHost } from "./frame-host.ts";
import { FrameToken, openFrame } from "./frame-token.ts";
import { createHostExecutor } from "./host-executor.ts";
import { createServerExecutor } from "./server-executor.ts";
import { type InstalledApp, useInstalledApps } from "./use-apps.ts";
import { useFrameOrigin } from "./use-frame-origin.ts";
import { useThemeMode } from "./use-theme-mode.ts";

const LEAST_PX = 48;
/** Keeps an app from making the page endless. */
const MOST_PX = 4_000;

interface AppFrameProps {
  readonly appId: string;
  readonly appName: string;
  readonly pageId: string;
  /** Fields a slot adds, such as `callId`. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** The dashboard button that opened the page. */
  readonly contributionId?: string;
  readonly onCloseModal?: () => void;
}

interface Crash {
  readonly message: string;
  readonly stack: string;
}

interface FrameProps extends AppFrameProps {
  /** The development server whose script is shown instead of the installed one. */
  readonly devOrigin: string | undefined;
}

/** An app's page in its frame, as high as its content; errors stay contained. */
export function AppFrame(props: AppFrameProps) {
  const { appId, pageId, context } = props;
  const here = useHere();
  const [round, setRound] = useState(0);
  const devOrigin = mayPreview(here) ? previewOf(appId) : undefined;
  const key = JSON.stringify([appId, pageId, context, devOrigin, round]);
  const again = (): void => setRound((before) => before + 1);
  return <OneFrame key={key} {...props} devOrigin={devOrigin} onAgain={again} />;
}

function OneFrame({ onAgain, ...props }: FrameProps & { readonly onAgain: () => void }) {
  const { appId, appName } = props;
  const place = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(LEAST_PX);
  const [isMounted, setMounted] = useState(false);
  const [crash, setCrash] = useState<Crash>();
  const [ended, setEnded] = useState<string>();
  useFrame(place, props, {
    onHeight: (px) => setHeight(Math.min(MOST_PX, Math.max(LEAST_PX, Math.ceil(px)))),
    onCrash: setCrash,
    onMounted: () => setMounted(true),
    onRebuilt: onAgain,
    onClosed: setEnded,
  });
  const stopPreview = (): void => {
    setPreview(appId, undefined);
    onAgain();
  };
  return (
    <div className="app-frame">
      {props.devOrigin !== undefined && (
        <p className="app-preview">
          <span className="pf-badge">Dev preview from {props.devOrigin}</span>
          <button type="button" className="pf-btn" onClick={stopPreview}>
            Stop preview
          </button>
        </p>
      )}
      {crash && (
        <div role="alert">
          <details className="message message-problem">
            <summary>
              {appName} has an error: {crash.message}
            </summary>
            <pre>{crash.stack}</pre>
          </details>
        </div>
      )}
      {ended !== undefined && (
        <div className="load-problem">
          <Problem>
            {appName}: {ended}
          </Problem>
          <button type="button" className="pf-btn" onClick={onAgain}>
            Reload
          </button>
        </div>
      )}
      {!isMounted && ended === undefined && crash === undefined && <Skeleton />}
      <div ref={place} className="app-frame-place" style={{ height: ended === undefined ? height : 0 }} />
    </div>
  );
}

/** Opens the frame when shown, and removes it with its page. */
function useFrame(
  place: React.RefObject<HTMLDivElement | null>,
  props: FrameProps,
  events: ConstructorParameters<typeof FrameHost>[0]["events"],
): void {
  const session = useSession();
  const here = useHere();
  const apps = useAppsHost();
  const origin = useFrameOrigin();
  const theme = useThemeMode();
  const installed = useInstalledApps().find(({ id }) => id === props.appId);
  const frame = useRef<FrameHost>(undefined);
  // Whoever may not preview any more finds out by a refusal, and is then shown the installed version.
  const onAppGone = (): void => void (props.devOrigin !== undefined && here.reloadMe());
  const latest = useRef({ props, events, theme, apps, installed, onAppGone });
  latest.current = { props, events, theme, apps, installed, onAppGone };
  const orgId = here.org.id;
  useEffect(() => {
    if (origin === undefined) return;
    let isGone = false;
    const open = async (): Promise<void> => {
      const opened = await openFrame(session, { orgId, ...frameOf(latest.current.props) });
      if (isGone || place.current === null) return;
      const host = hostOf({ opened, session, orgId, origin, ...latest.current });
      frame.current = host;
      place.current.append(host.element);
    };
    open().catch((error: unknown) => {
      if (isGone) return;
      latest.current.onAppGone();
      latest.current.events.onClosed(reasonOf(error));
    });
    return () => {
      isGone = true;
      frame.current?.dispose();
      frame.current = undefined;
    };
  }, [session, orgId, origin, place]);
  useEffect(() => frame.current?.setTheme(theme), [theme]);
}

interface Opening {
  readonly opened: OpenedFrame;
  readonly session: Session;
  readonly orgId: string;
  readonly origin: string;
  readonly props: FrameProps;
  readonly apps: AppsHost;
  readonly installed: InstalledApp | undefined;
  readonly onAppGone: () => void;
  readonly theme: "light" | "dark";
  readonly events: ConstructorParameters<typeof FrameHost>[0]["events"];
}

function frameOf({ appId, pageId, devOrigin }: FrameProps) {
  return { appId, pageId, preview: devOrigin !== undefined };
}

function hostOf({ opened, session, orgId, origin, onAppGone, ...shown }: Opening): FrameHost {
  const { props, apps, installed, theme, events } = shown;
  const { appId, appName, onCloseModal, contributionId } = props;
  const token = new FrameToken(session, { orgId, ...frameOf(props) }, opened);
  const server = createServerExecutor({ session, orgId, appId, token, onAppGone });
  const execute = createHostExecutor(server, {
    pages: installed?.install.ui.pages.map(({ id }) => id),
    openModal: (modal) => apps.openModal({ ...modal, appId, appName }),
    closeModal: onCloseModal,
    toast: (text) => apps.toast(appName, text),
    refresh: apps.refresh,
    navigate: apps.navigate,
  });
  const host: FrameHost = new FrameHost({
    ...initOf(opened, { ...props, origin }),
    title: `${appName}: ${opened.page.title}`,
    theme,
    execute,
    events: {
      ...events,
      onMounted: () => {
        events.onMounted();
        if (contributionId !== undefined) host.activate(contributionId);
      },
    },
  });
  return host;
}

function initOf(
  { bundle, version, page, user, settings }: OpenedFrame,
  {
    origin,
    appId,
    context,
    devOrigin,
  }: Pick<FrameProps, "appId" | "context" | "devOrigin"> & { readonly origin: string },
): { readonly address: string; readonly init: Omit<FrameInit, "kind" | "theme"> } {
  const { document, files } =
    devOrigin === undefined
      ? frameAddress(origin, { appId, version })
      : devFrameAddress(origin, { appId, devOrigin });
  const isDev = devOrigin !== undefined;
  return {
    address: document,
    init: {
      version: BRIDGE_VERSION,
      entry: `${files}${isDev ? "index.js" : bundle.entry}`,
      style: bundle.styles === null ? null : `${files}${isDev ? "index.css" : bundle.styles}`,
      liveReload: isDev ? `${files}__livereload` : null,
      // A slot's fields never override the app's identity.
      context: { ...context, appId, pageId: page.id, title: page.title },
      user,
      settings,
      methods: methodShapes(),
    },
  };
}
