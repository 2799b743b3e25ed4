import { useState } from "react";
import { Icon } from "./icon.tsx";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const STORED_UNDER = "parley-theme";
const NAMES: Readonly<Record<Theme, string>> = { system: "Auto", light: "Light", dark: "Dark" };

/** Puts the remembered theme on the root, before the first paint. */
export function applyStoredTheme(): void {
  apply(storedTheme());
}

/** One button through automatic, light and dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme);
  const turn = () => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
    setTheme(next);
    apply(next);
    remember(next);
  };
  return (
    <button type="button" className="pf-btn pf-btn-quiet" onClick={turn}>
      <Icon name="theme" />
      <span className="only-heard">Theme: </span>
      {NAMES[theme]}
    </button>
  );
}

function apply(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset.pfTheme;
  else dataset.pfTheme = theme;
}

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORED_UNDER);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    // Storage is blocked in some private windows; the system's choice is good enough.
    return "system";
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(STORED_UNDER, theme);
  } catch {
    // Blocked storage costs the memory of the choice only.
    return;
  }
}
