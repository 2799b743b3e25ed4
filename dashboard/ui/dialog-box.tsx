import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { Modal, type ModalProps } from "./modal.tsx";

export interface DialogBoxProps extends Pick<ModalProps, "first"> {
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

/** What is loaded of a `Dialog` when the first one opens. */
export function DialogBox({
  title,
  onClose,
  size,
  isKept = false,
  onEscape,
  first,
  children,
}: DialogBoxProps) {
  const dismiss = (): void => {
    if (onEscape) onEscape();
    else if (!isKept) onClose();
  };
  return (
    <Modal
      className={`pf-card dialog ${size === undefined ? "" : `dialog-${size}`}`}
      onDismiss={dismiss}
      first={first}
    >
      {size !== undefined ? (
        <div className="dialog-head">
          <Dialog.Title>{title}</Dialog.Title>
          {!isKept && (
            <button type="button" className="pf-btn pf-btn-quiet" data-tip="Close" onClick={onClose}>
              <Icon name="close" />
              <span className="only-heard">Close</span>
            </button>
          )}
        </div>
      ) : (
        <Dialog.Title>{title}</Dialog.Title>
      )}
      {children}
    </Modal>
  );
}
