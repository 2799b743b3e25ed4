import { isDevOrigin } from "@parley/platform/host/frame-address.ts";
import { can, type Here } from "../../api/use-session.ts";

const keyOf = (appId: string): string => `platform.devPreview.${appId}`;

/** Whether the role in the shown organization permits previews; the API has the last word. */
export function mayPreview(here: Here): boolean {
  return can(here, "manage_publish");
}

/** The development server shown instead of the installed version in this browser; undefined when there is none. */
export function previewOf(appId: string): string | undefined {
  const stored = localStorage.getItem(keyOf(appId));
  return stored !== null && isDevOrigin(stored) ? stored : undefined;
}

/** Sets the preview; undefined ends it. */
export function setPreview(appId: string, origin: string | undefined): void {
  if (origin === undefined) localStorage.removeItem(keyOf(appId));
  else localStorage.setItem(keyOf(appId), origin);
}
