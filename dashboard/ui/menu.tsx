import { type ReactNode, useEffect, useId, useRef, useState } from "react";

interface MenuProps {
  /** The button's content. */
  readonly button: ReactNode;
  readonly label: string;
  readonly className?: string;
  /** Links and buttons in the popover; pressing one closes it. */
  readonly children: ReactNode;
}

/** A button with the browser's own popover, which closes on Escape or a press elsewhere and restores the focus. */
export function Menu({ button, label, className = "", children }: MenuProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const opened = box.current;
    const closeAfter = ({ target }: MouseEvent): void => {
      if (target instanceof Element && target.closest("a, button[data-closes]")) opened?.hidePopover();
    };
    opened?.addEventListener("click", closeAfter);
    return () => opened?.removeEventListener("click", closeAfter);
  }, []);
  return (
    <div className={`menu ${className}`}>
      <button type="button" className="menu-button" popoverTarget={id}>
        <span className="only-heard">{label}</span>
        <span className="menu-shown" aria-hidden="true">
          {button}
        </span>
      </button>
      <div
        ref={box}
        id={id}
        popover="auto"
        className="pf-card menu-box"
        onToggle={({ newState }) => setOpen(newState === "open")}
      >
        {isOpen && children}
      </div>
    </div>
  );
}
