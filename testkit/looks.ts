import type { Page } from "playwright-core";

/**
 * The looks of every specimen on the page, or of those of a selector, as text: each element with its colors, borders, spaces and type, and the
 * heights of what is pressed and filled in. Says nothing that depends on a machine's fonts, such as widths of texts.
 */
export function looksOf(page: Page, of = "[data-specimen], .dialog, .toast"): Promise<string> {
  return page.evaluate(readLooks, of);
}

/** Runs in the page. */
function readLooks(of: string): string {
  // What moves is read where it comes to rest; what never does, as it is without moving.
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY) animation.cancel();
    else animation.finish();
  }
  const canvas = document.createElement("canvas").getContext("2d");
  if (canvas === null) throw new Error("there is no canvas");
  /** However the browser writes a color, as `#rrggbb` or `rgba(…)`; mixed ones to two digits. */
  const plain = (color: string): string => {
    canvas.fillStyle = "#000";
    canvas.fillStyle = color;
    return String(canvas.fillStyle).replace(/0?\.\d{3,}/g, (part) => Number(part).toFixed(2));
  };
  const isClear = (color: string): boolean => /^(transparent|rgba\(.*, 0\))$/.test(color);

  function lookOf(element: Element): string {
    const style = getComputedStyle(element);
    const parent = element.parentElement ? getComputedStyle(element.parentElement) : undefined;
    const said: string[] = [];
    if (style.color !== parent?.color) said.push(plain(style.color));
    if (!isClear(style.backgroundColor)) said.push(`on ${plain(style.backgroundColor)}`);
    const sides = ["Top", "Right", "Bottom", "Left"] as const;
    const borders = sides.map((side) => {
      const [width, line] = [style[`border${side}Width`], style[`border${side}Style`]];
      return width === "0px" || line === "none"
        ? ""
        : `${width} ${line} ${plain(style[`border${side}Color`])}`;
    });
    if (borders.some((border) => border !== ""))
      said.push(
        `border ${new Set(borders).size === 1 ? borders[0] : borders.map((each) => each || "no").join(", ")}`,
      );
    if (style.borderTopLeftRadius !== "0px") said.push(`round ${style.borderTopLeftRadius}`);
    if (style.padding !== "0px") said.push(`padding ${style.padding}`);
    if (style.gap !== "normal" && style.display.includes("flex")) said.push(`gap ${style.gap}`);
    if (style.fontSize !== parent?.fontSize) said.push(`size ${style.fontSize}`);
    if (style.fontWeight !== parent?.fontWeight) said.push(`weight ${style.fontWeight}`);
    if (style.opacity !== "1") said.push(`opacity ${style.opacity}`);
    if (element.matches("button, input, select, .menu-item, .pf-badge"))
      said.push(`${Math.round(element.getBoundingClientRect().height)} high`);
    if (element.matches(":focus-visible"))
      said.push(`focused: outline ${style.outlineWidth} ${style.outlineStyle}, shadow ${style.boxShadow}`);
    return said.join("; ");
  }

  function linesOf(element: Element, depth: number): string[] {
    if (element.matches("svg, option, script, .only-heard, [data-base-ui-focus-guard], [aria-owns]"))
      return [];
    if (getComputedStyle(element).display === "none") return [];
    const name = [element.localName, ...[...element.classList].toSorted()].join(".");
    const look = lookOf(element);
    const inside = [...element.children].flatMap((child) => linesOf(child, depth + 1));
    return [`${"  ".repeat(depth)}${name}${look === "" ? "" : `: ${look}`}`, ...inside];
  }

  return [...document.querySelectorAll(of)]
    .map((shown) => {
      const name = shown.getAttribute("data-specimen");
      // A specimen begins with its name; what stands above the page is shown as it is.
      const parts = name === null ? [shown] : [...shown.children].slice(1);
      return `${name ?? "above the page"}\n${parts.flatMap((part) => linesOf(part, 1)).join("\n")}\n`;
    })
    .join("\n");
}
