import { useState } from "react";
import { Icon } from "./icon.tsx";
import { chooseTheme, storedTheme, THEMES, type Theme } from "./theme.ts";

export const THEME_NAMES: Readonly<Record<Theme, string>> = { system: "Auto", light: "Light", dark: "Dark" };

/** A button that cycles through automatic, light and dark. */
export function ThemeSwitch() {
  const [theme, choose] = useTheme();
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  return (
    <button type="button" className="pf-btn pf-btn-quiet" onClick={() => choose(next)}>
      <Icon name="theme" />
      <span className="only-heard">Theme: </span>
      {THEME_NAMES[theme]}
    </button>
  );
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (chosen: Theme): void => {
    setTheme(chosen);
    chooseTheme(chosen);
  };
  return [theme, choose];
}
