import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from "react";
import { Icon } from "./icon.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** `wide` is for reading, `side` stands at the edge of the page; both have a close button beside the title. */
  readonly size?: "wide" | "side";
  /** The content is never shown again: only its own button closes the dialog, Escape does not. */
  readonly isKept?: boolean;
  /** What Escape does instead of closing, while something must end first. */
  readonly onEscape?: () => void;
  readonly children: ReactNode;
}

/**
 * Returns the focus to its origin, or to the page's heading if that is gone: a keyboard user must not start
 * at the top.
 */
function giveFocusBack(to: Element | null): void {
  const target = to?.isConnected ? to : document.querySelector("main h1");
  if (target instanceof HTMLElement) target.focus();
}

/** A modal dialog on the browser's own element, which traps the focus, closes on Escape and restores the focus. */
export function Dialog({ title, onClose, size, isKept = false, onEscape, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEscape(dialog, isKept || onEscape !== undefined, () => onEscape?.());
  useLayoutEffect(() => {
    const opened = dialog.current;
    const returnTo = document.activeElement;
    opened?.showModal();
    return () => {
      opened?.close();
      // The focused element may be removed in the same step, after this.
      queueMicrotask(() => giveFocusBack(returnTo));
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`pf-card dialog ${size === undefined ? "" : `dialog-${size}`}`}
      aria-labelledby={titleId}
      onCancel={(event) => (isKept ? event.preventDefault() : onClose())}
    >
      {size !== undefined ? (
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

/**
 * Keeps Escape from closing a dialog, also while the focus is nowhere because the focused element is gone. Chromium lets
 * a second Escape through a prevented `cancel`, but not one whose keydown was prevented.
 */
function useEscape(dialog: RefObject<HTMLElement | null>, isTaken: boolean, act: () => void): void {
  const onEscape = useEffectEvent(act);
  useEffect(() => {
    if (!isTaken) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || !(event.target instanceof Node)) return;
      if (event.target !== document.body && dialog.current?.contains(event.target) !== true) return;
      event.preventDefault();
      onEscape();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [dialog, isTaken]);
}
