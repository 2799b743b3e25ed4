import { type ReactNode, useEffect, useId, useRef, useState } from "react";

interface MenuProps {
  /** What the button shows. */
  readonly button: ReactNode;
  readonly label: string;
  readonly className?: string;
  /** What opens: links and buttons; a press on one of them closes it. */
  readonly children: ReactNode;
}

/**
 * A button with something that opens beside it: the browser's own popover, which closes on Escape and on a press elsewhere, and
 * gives the focus back.
 */
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
