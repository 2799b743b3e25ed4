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
