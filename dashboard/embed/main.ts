import { element, icon } from "../widget/element.ts";
import { readableOn } from "../widget/settings.ts";
import css from "./embed.css?inline";

// Runs on a customer's site: a button that opens the agent's own page in a frame. The page is Parley's, so
// the site needs no key, learns nothing of the conversation, and grants the microphone to that frame alone.
// The server decides which sites may embed it, by the page's `frame-ancestors`.
const TALK = "M21 12a8 8 0 0 1-8 8H4l2-3a8 8 0 1 1 15-5Z";
const CROSS = "M6 6l12 12M18 6 6 18";
const HOST = { all: "initial", display: "block", position: "fixed", "z-index": "2147483000" };

function mount(origin: string, { agent, accent = "", position, label }: DOMStringMap): void {
  const host = element("div");
  host.dataset.parleyAgent = agent ?? "";
  // Overrides every rule of the page, `!important` ones included.
  for (const [name, value] of Object.entries(HOST)) host.style.setProperty(name, value, "important");
  const shadow = host.attachShadow({ mode: "open" });
  // Unlike a style element, this needs no permission from the page's content security policy.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  shadow.adoptedStyleSheets = [sheet];
  const name = label || "Talk to us";
  const launcher = element("button", { type: "button", class: "launcher", "aria-label": name });
  const panel = element("div", { class: "panel", role: "dialog", "aria-label": name });
  const root = element("div", { class: position === "left" ? "root left" : "root" }, panel, launcher);
  if (/^#[\da-f]{6}$/i.test(accent)) {
    root.style.setProperty("--accent", accent);
    root.style.setProperty("--on-accent", readableOn(accent));
  }
  const show = (isOpen: boolean): void => {
    // Created on first press: a visitor who never opens it loads nothing, and closing it keeps the talk.
    if (isOpen && panel.childElementCount === 0) {
      const src = `${origin}/a/${encodeURIComponent(agent ?? "")}`;
      panel.append(element("iframe", { src, title: name, allow: "microphone; autoplay" }));
    }
    panel.hidden = !isOpen;
    launcher.setAttribute("aria-expanded", String(isOpen));
    launcher.replaceChildren(icon(isOpen ? CROSS : TALK));
  };
  launcher.addEventListener("click", () => show(panel.hidden !== false));
  root.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    show(false);
    launcher.focus();
  });
  show(false);
  shadow.append(root);
  document.body.append(host);
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement) {
  const { dataset, src } = script;
  if (!dataset.agent)
    throw new Error("Parley's snippet: the script tag needs data-agent, the agent's address.");
  const begin = (): void => mount(new URL(src).origin, dataset);
  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin, { once: true });
}
