import type { ThemeMode } from "platform/wire";
import { useSyncExternalStore } from "react";

const DARK = "(prefers-color-scheme: dark)";

/** The dashboard's current theme, by the person's choice or else the system's. */
export function useThemeMode(): ThemeMode {
  return useSyncExternalStore(subscribe, themeMode);
}

function themeMode(): ThemeMode {
  const chosen = document.documentElement.dataset.pfTheme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia(DARK).matches ? "dark" : "light";
}

function subscribe(onChange: () => void): () => void {
  const chosen = new MutationObserver(onChange);
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ["data-pf-theme"] });
  const system = matchMedia(DARK);
  system.addEventListener("change", onChange);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", onChange);
  };
}
