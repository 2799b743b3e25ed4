import type { FromFrame } from "../wire.ts";

/** Reports the content's height to the dashboard, including protruding overlays, so nothing is cut off. */
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
  // An overlay is out of flow and makes the page scroll. For a page that fits, the scroll height says
  // nothing.
  return scrollHeight > clientHeight ? scrollHeight : flow;
}
