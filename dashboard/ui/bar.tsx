import logoUrl from "./parley.svg";
import { ThemeSwitch } from "./theme-switch.tsx";

/** The top of each page: home link and theme. */
export function Bar() {
  return (
    <header className="bar">
      <a href="/" className="bar-logo">
        <img src={logoUrl} alt="" width="28" height="28" /> Parley
      </a>
      <ThemeSwitch />
    </header>
  );
}
