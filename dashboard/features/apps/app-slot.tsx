import type { Slot } from "@parley/platform/manifest/surfaces.ts";
import { LazyAppFrame } from "./lazy-app-frame.tsx";
import { LazyAppIcon } from "./lazy-app-icon.tsx";
import { useInstalledApps } from "./use-apps.ts";

interface AppSlotProps {
  readonly slot: Slot;
  /** Context for the app about where it is, such as `callId`. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** What installed apps show in one place of the dashboard; nothing when none does. */
export function AppSlot({ slot, context = {} }: AppSlotProps) {
  const panels = useInstalledApps().flatMap((app) =>
    app.install.ui.extensions
      .filter((extension) => extension.slot === slot)
      .map((extension) => ({ app, extension })),
  );
  return panels.map(({ app, extension: { pageId, title, icon } }) => (
    <section
      key={`${app.id}/${pageId}`}
      className="pf-card panel app-panel"
      aria-label={`${title}, by ${app.name}`}
    >
      <h2 className="app-panel-title">
        <LazyAppIcon name={icon} /> {title} <span className="pf-muted app-owner">{app.name}</span>
      </h2>
      <LazyAppFrame appId={app.id} appName={app.name} pageId={pageId} context={context} />
    </section>
  ));
}
