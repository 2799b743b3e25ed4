import { useState } from "react";
import { Icon } from "./icon.tsx";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const STORED_UNDER = "parley-theme";
const NAMES: Readonly<Record<Theme, string>> = { system: "Auto", light: "Light", dark: "Dark" };

/** Applies the stored theme to the root, before the first paint. */
export function applyStoredTheme(): void {
  apply(storedTheme());
}

/** A button that cycles through automatic, light and dark. */
export function ThemeSwitch() {
  const [theme, choose] = useTheme();
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  return (
    <button type="button" className="pf-btn pf-btn-quiet" onClick={() => choose(next)}>
      <Icon name="theme" />
      <span className="only-heard">Theme: </span>
      {NAMES[theme]}
    </button>
  );
}

/** Offers all three themes side by side. */
export function ThemeChoice() {
  const [theme, choose] = useTheme();
  return (
    <fieldset className="theme-choice">
      <legend className="only-heard">Theme</legend>
      {THEMES.map((one) => (
        <button
          key={one}
          type="button"
          className="theme-choice-one"
          aria-pressed={one === theme}
          onClick={() => choose(one)}
        >
          {NAMES[one]}
        </button>
      ))}
    </fieldset>
  );
}

function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (chosen: Theme): void => {
    setTheme(chosen);
    apply(chosen);
    remember(chosen);
  };
  return [theme, choose];
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
    // Some private windows block storage; the system's theme is good enough.
    return "system";
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(STORED_UNDER, theme);
  } catch {
    // With storage blocked, only the choice is not remembered.
    return;
  }
}
