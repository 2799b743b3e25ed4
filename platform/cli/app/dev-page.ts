import type { Manifest } from "../../manifest/manifest.ts";
import type { AppRecord } from "../../methods/data.ts";
import { openMock } from "../../mock/open-mock.ts";
import { watchErrors } from "../../sdk/frame/watch-errors.ts";
import { devHost, mockAround } from "./dev-host.ts";

const PERMISSIONS = [
  ...["view", "manage_agents", "manage_numbers", "manage_members", "manage_billing", "manage_workplace"],
  ...["monitor_calls", "manage_api_keys", "manage_recordings", "manage_publish", "manage_org"],
];

/** The records that outlive a rebuild. */
const RECORDS = "parley.records";

/**
 * Page that runs an app without a dashboard: `?page=` selects the page, `?context=` is the JSON of a modal's context;
 * `?theme=` overrides the browser's; `?activate=` is the id of a contribution that was pressed; every other parameter
 * becomes slot context.
 */
async function begin(): Promise<void> {
  const manifest = (await (await fetch("/platform.app.json")).json()) as Manifest;
  const {
    page: wanted,
    theme: mode,
    activate,
    context: ofModal = "{}",
    ...slot
  } = Object.fromEntries(new URLSearchParams(location.search));
  const page = manifest.ui.pages.find(({ id }) => id === wanted) ?? manifest.ui.pages[0];
  if (!page) throw new Error("The manifest has no page.");
  const user = {
    ...{ id: "usr_dev", role: "owner" as const, permissions: PERMISSIONS },
    ...(manifest.scopes.includes("user:profile") ? { name: "Dev", email: "dev@example.com" } : {}),
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = mode === "dark" || (mode === undefined && dark.matches) ? "dark" : "light";
  const settings = Object.fromEntries(
    (manifest.settings ?? []).flatMap(({ key, type, default: value }) =>
      type === "secret" || value === undefined ? [] : [[key, value]],
    ),
  );
  showTheme(theme);
  document.title = page.title;
  watchErrors(() => undefined);
  const { platform, mock, events } = openMock({
    manifest,
    mock: mockAround(),
    records: takeRecords(),
    handlers: devHost(manifest.ui.pages),
    user: () => user,
    init: {
      context: {
        ...slot,
        ...(JSON.parse(ofModal) as object),
        appId: manifest.id,
        pageId: page.id,
        title: page.title,
      },
      user,
      settings,
      theme,
    },
    on: { onClosed: showClosed },
  });
  window.parleyMock = mock;
  if (activate !== undefined) events.activated(activate);
  if (mode === undefined)
    dark.addEventListener("change", ({ matches }) => {
      showTheme(matches ? "dark" : "light");
      events.theme(matches ? "dark" : "light");
    });
  Object.defineProperty(window, "platform", { value: platform, enumerable: true });
  new EventSource("/__livereload").onmessage = () => {
    sessionStorage.setItem(RECORDS, JSON.stringify(mock.store.all()));
    location.reload();
  };
  // As in the dashboard, only what the manifest declares is loaded.
  if (manifest.ui.styles !== undefined) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = "/index.css";
    document.head.append(link);
  }
  const script = document.createElement("script");
  script.type = "module";
  script.src = "/index.js";
  document.head.append(script);
}

function showTheme(mode: "light" | "dark"): void {
  document.documentElement.dataset.pfTheme = mode;
  document.documentElement.style.colorScheme = mode;
}

/** The records from before the rebuild that loaded this page; any other load begins without. */
function takeRecords(): AppRecord[] {
  const kept = sessionStorage.getItem(RECORDS);
  sessionStorage.removeItem(RECORDS);
  return kept === null ? [] : (JSON.parse(kept) as AppRecord[]);
}

/** Mirrors the dashboard: after closing, none of the app's calls is answered. */
function showClosed(reason: string): void {
  document.body.prepend(reason);
}

void begin();
