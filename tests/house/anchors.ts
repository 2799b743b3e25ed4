/** The anchors of a Markdown page: those of its headings as GitHub makes them, and those it sets itself (`<a id="…">`). */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const prose = page.replace(/^```[\s\S]*?^```$/gm, "");
  for (const [, heading = ""] of prose.matchAll(/^#+ (.+)$/gm)) {
    const plain = heading.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  for (const [, id = ""] of prose.matchAll(/<a id="([^"]+)"><\/a>/g)) anchors.add(id);
  return anchors;
}
