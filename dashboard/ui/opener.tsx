import {
  type ComponentType,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useId,
  useRef,
  useState,
} from "react";

/** What a button opens beside itself. */
export interface OpenedProps {
  readonly id: string;
  readonly label: string;
  readonly button: RefObject<HTMLButtonElement | null>;
  /** The element to be rendered into, so that Tab goes from the button to what it opened. */
  readonly place: RefObject<HTMLElement | null>;
  /** Opened by a key, which should be able to go on from the first item. */
  readonly isByKey: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

interface OpenerProps {
  readonly opens: "menu" | "dialog";
  /** Loaded with the first press. */
  readonly as: ComponentType<OpenedProps>;
  /** Fetches its code before that. */
  readonly preload: () => Promise<void>;
  /** The button's content. */
  readonly button: ReactNode;
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A button that opens something beside itself. */
export function Opener({ opens, as: Opened, preload, button, label, className = "", children }: OpenerProps) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<"by pointer" | "by key">();
  const close = (): void => setOpened(undefined);
  const toggle = ({ detail }: MouseEvent): void => {
    const way = detail === 0 ? "by key" : "by pointer";
    setOpened(opened ? undefined : way);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (opens !== "menu" || event.key !== "ArrowDown") return;
    event.preventDefault();
    setOpened("by key");
  };
  return (
    <div ref={place} className={`menu ${className}`}>
      <button
        ref={trigger}
        type="button"
        className="menu-button"
        aria-haspopup={opens}
        aria-expanded={opened !== undefined}
        aria-controls={opened && id}
        onPointerEnter={() => void preload()}
        onClick={toggle}
        onKeyDown={onKeyDown}
      >
        <span className="only-heard">{label}</span>
        <span className="menu-shown" aria-hidden="true">
          {button}
        </span>
      </button>
      {opened && (
        <Opened
          id={id}
          label={label}
          button={trigger}
          place={place}
          isByKey={opened === "by key"}
          onClose={close}
        >
          {children}
        </Opened>
      )}
    </div>
  );
}
