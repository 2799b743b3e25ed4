const ADDRESS = /https?:\/\/[^\s<>"'`]+/gi;
/** Punctuation after an address that belongs to the sentence or to Markdown. */
const AFTER = /[.,;:!?)\]}*_]+$/;

/** Converts text to nodes: web addresses become links; everything else, tags and Markdown included, stays text. */
export function toNodes(text: string): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = match[0].replace(AFTER, "");
    if (!URL.canParse(address)) continue;
    nodes.push(document.createTextNode(text.slice(at, match.index)), linkTo(address));
    at = match.index + address.length;
  }
  nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}

function linkTo(address: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = address;
  link.target = "_blank";
  link.rel = "noopener noreferrer nofollow ugc";
  return link;
}
