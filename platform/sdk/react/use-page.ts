import { useSyncExternalStore } from "react";
import { currentPlatform } from "../bridge/current-platform.ts";
import type { PageContext, Settings, ThemeMode, User, WindowPlatform } from "../types/platform.ts";

const NOBODY: User = Object.freeze({ id: "", role: null, permissions: [], can: () => false });

/** The bridge itself, for what has no hook. */
export function usePlatform(): WindowPlatform {
  return currentPlatform();
}

/** Where the page is shown; a slot adds to it, such as `callId`. */
export function useContext<T extends object = Record<string, unknown>>(): PageContext & T {
  return currentPlatform().context as PageContext & T;
}

/** Whoever is signed in. `can` is for what is shown only: the server decides. */
export function useUser(): User {
  return currentPlatform().user ?? NOBODY;
}

/** The app's settings as they were when the page was opened; secrets are never among them. */
export function useSettings(): Settings {
  return currentPlatform().settings;
}

/** `light` or `dark`, as the dashboard is now. */
export function useTheme(): ThemeMode {
  const { theme } = currentPlatform();
  return useSyncExternalStore(theme.onChange, theme.mode);
}
