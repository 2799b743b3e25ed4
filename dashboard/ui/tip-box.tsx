import { Tooltip } from "@base-ui/react/tooltip";
import { useId, useLayoutEffect } from "react";

/** A tip stands in the part of the page that it tells of, where screen readers find it. */
const LANDMARKS = "[role=dialog], main, nav, header";

/** What is loaded of `Tips` when the first one shows. @param on what it tells of */
export function TipBox({ on, text }: { readonly on: HTMLElement; readonly text: string }) {
  const id = useId();
  useLayoutEffect(() => {
    // What has a tip may be read out already, by its name or by what it shows.
    if (`${on.ariaLabel} ${on.textContent}`.includes(text)) return;
    const before = on.getAttribute("aria-describedby");
    on.setAttribute("aria-describedby", before ? `${before} ${id}` : id);
    return () => {
      if (before) on.setAttribute("aria-describedby", before);
      else on.removeAttribute("aria-describedby");
    };
  }, [on, text, id]);
  return (
    <Tooltip.Root open>
      <Tooltip.Portal className="over-page" container={on.closest<HTMLElement>(LANDMARKS)}>
        <Tooltip.Positioner
          anchor={on}
          side="top"
          sideOffset={6}
          collisionPadding={8}
          positionMethod="fixed"
          className="tip-place"
        >
          <Tooltip.Popup id={id} role="tooltip" className="tip">
            {text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
