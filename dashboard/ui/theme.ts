export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED_UNDER = "parley-theme";

/** Applies the stored theme to the root, before the first paint. */
export function applyStoredTheme(): void {
  apply(storedTheme());
}

/** Applies a theme, and keeps it for the next visit. */
export function chooseTheme(theme: Theme): void {
  apply(theme);
  remember(theme);
}

export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORED_UNDER);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    // Some private windows block storage; the system's theme is good enough.
    return "system";
  }
}

/** Calls back whenever the pages' colors change: by a choice here, or by the system's. @returns what ends it */
export function onColorsChanged(changed: () => void): () => void {
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ["data-pf-theme"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", changed);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", changed);
  };
}

function apply(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset.pfTheme;
  else dataset.pfTheme = theme;
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(STORED_UNDER, theme);
  } catch {
    // With storage blocked, only the choice is not remembered.
    return;
  }
}
