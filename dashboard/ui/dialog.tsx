import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { Icon } from "./icon.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** `wide` is for what is read, and has a button to close it beside its title. */
  readonly size?: "wide";
  /** It shows what is never shown again: only its own button closes it, Escape does not. */
  readonly isKept?: boolean;
  readonly children: ReactNode;
}

/** To where it was, or to the page's heading when the dialog took that away: a keyboard must not begin at the top. */
function giveFocusBack(to: Element | null): void {
  const target = to?.isConnected ? to : document.querySelector("main h1");
  if (target instanceof HTMLElement) target.focus();
}

/** A modal dialog: the browser's own, which keeps the focus inside, closes on Escape and gives the focus back. */
export function Dialog({ title, onClose, size, isKept = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const opened = dialog.current;
    const returnTo = document.activeElement;
    opened?.showModal();
    return () => {
      opened?.close();
      // What had the focus may go in the same step, after this.
      queueMicrotask(() => giveFocusBack(returnTo));
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`pf-card dialog ${size === "wide" ? "dialog-wide" : ""}`}
      aria-labelledby={titleId}
      onCancel={(event) => (isKept ? event.preventDefault() : onClose())}
      // Chromium lets a second Escape through a prevented `cancel`, but not one that was never a wish to close.
      onKeyDown={(event) => {
        if (isKept && event.key === "Escape") event.preventDefault();
      }}
    >
      {size === "wide" ? (
        <div className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {!isKept && (
            <button type="button" className="pf-btn pf-btn-quiet" onClick={onClose}>
              <Icon name="close" />
              <span className="only-heard">Close</span>
            </button>
          )}
        </div>
      ) : (
        <h2 id={titleId}>{title}</h2>
      )}
      {children}
    </dialog>
  );
}
