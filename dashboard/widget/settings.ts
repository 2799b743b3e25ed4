import { type Words, wordsFor } from "./words.ts";

/** Settings from the `data-` attributes of a customer's script tag. */
export interface WidgetSettings {
  /** Parley's address: the origin of the script itself. */
  readonly serverUrl: string;
  readonly agentId: string;
  /** The customer's endpoint that mints a client token for this visitor. */
  readonly tokenUrl: string;
  readonly theme: "light" | "dark" | "auto";
  /** `#rrggbb`. */
  readonly accent: string;
  readonly position: "left" | "right";
  readonly lang: string;
  readonly words: Words;
  /** Shown before the first message; the agent does not know it. */
  readonly greeting: string | undefined;
}

const ACCENT = "#4f46e5";

/** Reads the script tag. Throws an Error that names the missing attribute. */
export function readSettings(script: HTMLScriptElement): WidgetSettings {
  const { agent, tokenUrl, theme, accent = "", position, greeting, lang } = script.dataset;
  if (!agent) throw new Error("Parley's widget: the script tag needs data-agent, the agent's id.");
  if (!tokenUrl) {
    throw new Error("Parley's widget: the script tag needs data-token-url, where your server mints tokens.");
  }
  return {
    serverUrl: new URL(script.src).origin,
    agentId: agent,
    tokenUrl: new URL(tokenUrl, document.baseURI).href,
    theme: theme === "light" || theme === "dark" ? theme : "auto",
    accent: sixDigits(accent) ?? ACCENT,
    position: position === "left" ? "left" : "right",
    ...languageOf(script.dataset, lang),
    greeting: greeting || undefined,
  };
}

/** Language of the tag, else of the page, else of the browser. An unsupported language may supply all its texts. */
function languageOf(data: DOMStringMap, asked: string | undefined): Pick<WidgetSettings, "lang" | "words"> {
  const own = (name: string): string | undefined =>
    data[`text${name.charAt(0).toUpperCase()}${name.slice(1)}`] ??
    (name === "title" ? data.title : undefined);
  const { lang, words } = wordsFor([asked, document.documentElement.lang, navigator.language], own);
  return { lang: asked || lang, words };
}

function sixDigits(color: string): string | undefined {
  if (/^#[\da-f]{6}$/i.test(color)) return color;
  return /^#[\da-f]{3}$/i.test(color) ? color.replaceAll(/[\da-f]/gi, "$&$&") : undefined;
}

/** Black or white, whichever is more readable on a `#rrggbb` color (WCAG 2.2, relative luminance). */
export function readableOn(color: string): "#000000" | "#ffffff" {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? "#ffffff" : "#000000";
}
