import type { FromFrame } from "../wire.ts";

/** Tells the dashboard how high the content is, overlays that stick out of it included, so that nothing is cut off. */
export function watchHeight(send: (message: FromFrame) => void): void {
  let told = 0;
  let isAsked = false;
  const tell = (): void => {
    isAsked = false;
    const px = Math.ceil(heightOf(document));
    if (px === told) return;
    told = px;
    send({ kind: "height", px });
  };
  const ask = (): void => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(tell);
  };
  new ResizeObserver(ask).observe(document.body);
  new MutationObserver(ask).observe(document.body, { subtree: true, childList: true, attributes: true });
  ask();
}

function heightOf({ body, documentElement: { scrollHeight, clientHeight } }: Document): number {
  const flow = body.getBoundingClientRect().height;
  // An overlay is not in the flow: it makes the page scroll. A page that fits says nothing by its scroll height.
  return scrollHeight > clientHeight ? scrollHeight : flow;
}
