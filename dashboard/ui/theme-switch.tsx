import { useState } from "react";
import { Icon } from "./icon.tsx";
import { chooseTheme, storedTheme, THEMES, type Theme } from "./theme.ts";

const NAMES: Readonly<Record<Theme, string>> = { system: "Auto", light: "Light", dark: "Dark" };

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
    chooseTheme(chosen);
  };
  return [theme, choose];
}
