import { useSyncExternalStore } from "react";
import { currentPlatform } from "../bridge/current-platform.ts";
import type { PageContext, Settings, ThemeMode, User, WindowPlatform } from "../types/platform.ts";

const NOBODY: User = Object.freeze({ id: "", role: null, permissions: [], can: () => false });

/** The bridge itself, for operations without a hook. */
export function usePlatform(): WindowPlatform {
  return currentPlatform();
}

/** Where the page is shown; a slot adds fields such as `callId`. */
export function useContext<T extends object = Record<string, unknown>>(): PageContext & T {
  return currentPlatform().context as PageContext & T;
}

/** The signed-in user. `can` is for display only: the server decides. */
export function useUser(): User {
  return currentPlatform().user ?? NOBODY;
}

/** The app's settings as of when the page opened; never includes secrets. */
export function useSettings(): Settings {
  return currentPlatform().settings;
}

/** The dashboard's current theme, `light` or `dark`. */
export function useTheme(): ThemeMode {
  const { theme } = currentPlatform();
  return useSyncExternalStore(theme.onChange, theme.mode);
}
