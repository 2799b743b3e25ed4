import { currentPlatform } from "../bridge/current-platform.ts";
import type { WindowPlatform } from "../types/platform.ts";

export { PlatformError } from "../bridge/platform-error.ts";

/** The bridge, for apps without React. Operations the dashboard lacks reject with the code `unavailable`. */
export const platform: WindowPlatform = new Proxy({} as WindowPlatform, {
  get: (_target, name) => Reflect.get(currentPlatform(), name),
  has: (_target, name) => Reflect.has(currentPlatform(), name),
});

/** Passes the app its root element, `#root`, which the dashboard provides. Throws when there is none. */
export function mount(render: (root: HTMLElement, bridge: WindowPlatform) => void): void {
  const root = document.getElementById("root");
  if (root === null)
    throw new Error("There is no #root: this app runs inside the dashboard, or under parley app dev.");
  render(root, currentPlatform());
}
