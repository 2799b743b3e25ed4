import { Dialog } from "@base-ui/react/dialog";
import { type MouseEvent, type ReactNode, useEffectEvent, useLayoutEffect, useRef } from "react";

export interface ModalProps {
  readonly className: string;
  /** Names the box where no `Dialog.Title` in it does. */
  readonly label?: string;
  /** A press beside the box closes it, too. */
  readonly closesBeside?: boolean;
  /** Escape, or a press beside the box. */
  readonly onDismiss: () => void;
  readonly onClick?: (event: MouseEvent) => void;
  /** What gets the focus at first, unless it is whatever comes first. */
  readonly first?: ((box: HTMLElement) => HTMLElement | null | undefined) | undefined;
  readonly children: ReactNode;
}

const FOCUSABLE = ["a[href]", "button", "input", "select", "textarea", "summary", "[tabindex='0']"]
  .map((kind) => `${kind}:not(:disabled)`)
  .join(", ");

/** A box above the page, which nothing else can be used beside while it is there. */
export function Modal({ closesBeside = false, onDismiss, ...box }: ModalProps) {
  return (
    <Dialog.Root open disablePointerDismissal={!closesBeside} onOpenChange={onDismiss}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Box {...box} />
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Box({ className, label, onClick, first, children }: Omit<ModalProps, "closesBeside" | "onDismiss">) {
  const box = useRef<HTMLDivElement>(null);
  const focusFirst = useEffectEvent((opened: HTMLElement) =>
    (first?.(opened) ?? opened.querySelector<HTMLElement>(FOCUSABLE) ?? opened).focus(),
  );
  // Base UI would move the focus a frame later, when the first letters typed have gone elsewhere.
  useLayoutEffect(() => {
    if (box.current) focusFirst(box.current);
  }, []);
  return (
    <Dialog.Popup
      ref={box}
      className={className}
      aria-label={label}
      aria-modal="true"
      onClick={onClick}
      initialFocus={false}
      // `Dialog` knows where the focus belongs when its origin is gone.
      finalFocus={false}
    >
      {children}
    </Dialog.Popup>
  );
}
