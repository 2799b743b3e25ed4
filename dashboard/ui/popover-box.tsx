import { Popover } from "@base-ui/react/popover";
import { type MouseEvent, useRef } from "react";
import { closerOf, placeOf, useFocusInside } from "./opened.ts";
import type { OpenedProps } from "./opener.tsx";

/** What is loaded of a `Popover` when the first one opens. */
export function PopoverBox(props: OpenedProps) {
  return (
    <Popover.Root open onOpenChange={closerOf(props)}>
      <Popover.Portal container={props.place}>
        <Box {...props} />
      </Popover.Portal>
    </Popover.Root>
  );
}

function Box(props: OpenedProps) {
  const { id, label, button, onClose, children } = props;
  const box = useRef<HTMLDivElement>(null);
  useFocusInside(box, button, (opened) => opened);
  const closeAfterLink = ({ target }: MouseEvent): void => {
    if (target instanceof Element && target.closest("a")) onClose();
  };
  return (
    <Popover.Positioner {...placeOf(button)}>
      <Popover.Popup
        ref={box}
        id={id}
        aria-label={label}
        className="pf-card menu-box"
        initialFocus={false}
        finalFocus={false}
        onClick={closeAfterLink}
      >
        {children}
      </Popover.Popup>
    </Popover.Positioner>
  );
}
