import { isDevOrigin } from "@parley/platform/host/frame-address.ts";

const keyOf = (appId: string): string => `platform.devPreview.${appId}`;

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
