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
import { previewOf } from "./dev-preview.ts";
import { FrameHost } from "./frame-host.ts";
import { FrameToken, openFrame } from "./frame-token.ts";
import { createHostExecutor } from "./host-executor.ts";
import { createServerExecutor } from "./server-executor.ts";
import { useFrameOrigin } from "./use-frame-origin.ts";
import { useThemeMode } from "./use-theme-mode.ts";

const LEAST_PX = 48;
/** Keeps an app from making the page endless. */
const MOST_PX = 4_000;

export interface AppFrameProps {
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

/** An app's page in its frame, as high as its content; errors stay contained. */
export function AppFrame(props: AppFrameProps) {
  const { appId, appName, pageId, context } = props;
  const [round, setRound] = useState(0);
  const key = JSON.stringify([appId, pageId, context, round]);
  return <OneFrame key={key} {...props} appName={appName} onAgain={() => setRound((before) => before + 1)} />;
}

function OneFrame({ onAgain, ...props }: AppFrameProps & { readonly onAgain: () => void }) {
  const { appName } = props;
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
  return (
    <div className="app-frame">
      {crash && (
        <details className="message message-problem" role="alert">
          <summary>
            {appName} has an error: {crash.message}
          </summary>
          <pre>{crash.stack}</pre>
        </details>
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
  props: AppFrameProps,
  events: ConstructorParameters<typeof FrameHost>[0]["events"],
): void {
  const session = useSession();
  const here = useHere();
  const apps = useAppsHost();
  const origin = useFrameOrigin();
  const theme = useThemeMode();
  const frame = useRef<FrameHost>(undefined);
  const latest = useRef({ props, events, theme, apps });
  latest.current = { props, events, theme, apps };
  const orgId = here.org.id;
  useEffect(() => {
    if (origin === undefined) return;
    let isGone = false;
    const open = async (): Promise<void> => {
      const { appId, pageId } = latest.current.props;
      const opened = await openFrame(session, { orgId, appId, pageId });
      if (isGone || place.current === null) return;
      const host = hostOf({ opened, session, orgId, origin, ...latest.current });
      frame.current = host;
      place.current.append(host.element);
    };
    open().catch((error: unknown) => {
      if (!isGone) latest.current.events.onClosed(reasonOf(error));
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
  readonly props: AppFrameProps;
  readonly apps: AppsHost;
  readonly theme: "light" | "dark";
  readonly events: ConstructorParameters<typeof FrameHost>[0]["events"];
}

function hostOf({ opened, session, orgId, origin, props, apps, theme, events }: Opening): FrameHost {
  const { appId, appName, pageId, onCloseModal, contributionId } = props;
  const token = new FrameToken(session, { orgId, appId, pageId }, opened);
  const server = createServerExecutor({ session, orgId, appId, token });
  const execute = createHostExecutor(server, {
    openModal: (modal) => apps.openModal({ ...modal, appId, appName }),
    closeModal: onCloseModal,
    toast: (text) => apps.toast(appName, text),
    refresh: apps.refresh,
    navigate: apps.navigate,
  });
  const host: FrameHost = new FrameHost({
    ...initOf(opened, { origin, appId, context: props.context }),
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
  }: { readonly origin: string; readonly appId: string; readonly context: AppFrameProps["context"] },
): { readonly address: string; readonly init: Omit<FrameInit, "kind" | "theme"> } {
  const devOrigin = previewOf(appId);
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
