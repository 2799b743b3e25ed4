type Attributes = Readonly<Record<string, string>>;

/** Creates an element with attributes and children; text is never parsed as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** A line drawing on a 24 by 24 grid. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  const line = document.createElementNS(SVG, "path");
  const look = { viewBox: "0 0 24 24", width: "22", height: "22", fill: "none", "aria-hidden": "true" };
  const stroke = { stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round" };
  for (const [name, value] of Object.entries({ ...look, ...stroke, "stroke-linejoin": "round" })) {
    svg.setAttribute(name, value);
  }
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}
