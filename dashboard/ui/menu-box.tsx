import { Menu } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { type KeyboardEvent, type ReactElement, type ReactNode, useRef } from "react";
import { closerOf, placeOf, useFocusInside } from "./opened.ts";
import type { OpenedProps } from "./opener.tsx";

/** What is loaded of a `Menu` when the first one opens. */
export function MenuBox(props: OpenedProps) {
  return (
    <Menu.Root open modal={false} onOpenChange={closerOf(props)}>
      <Menu.Portal container={props.place}>
        <Box {...props} />
      </Menu.Portal>
    </Menu.Root>
  );
}

function Box(props: OpenedProps) {
  const { id, label, button, isByKey, onClose, children } = props;
  const box = useRef<HTMLDivElement>(null);
  useFocusInside(
    box,
    button,
    (opened) => (isByKey && opened.querySelector<HTMLElement>("[role^=menuitem]")) || opened,
  );
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    // A menu is left by Tab as if the button had the focus.
    if (key !== "Tab") return;
    button.current?.focus();
    onClose();
  };
  return (
    <Menu.Positioner {...placeOf(button)}>
      <Menu.Popup
        ref={box}
        id={id}
        aria-label={label}
        className="pf-card menu-box"
        finalFocus={false}
        onKeyDown={onKeyDown}
      >
        {children}
      </Menu.Popup>
    </Menu.Positioner>
  );
}

interface MenuItemProps {
  readonly isDisabled?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

export function MenuItem({ isDisabled = false, onSelect, children }: MenuItemProps) {
  return (
    <Menu.Item className="menu-item" disabled={isDisabled} onClick={onSelect}>
      {children}
    </Menu.Item>
  );
}

interface MenuLinkProps {
  /** The link, without content. */
  readonly render: ReactElement<Record<string, unknown>>;
  readonly children: ReactNode;
}

export function MenuLink({ render, children }: MenuLinkProps) {
  return (
    <Menu.LinkItem className="menu-item" closeOnClick render={render}>
      {children}
    </Menu.LinkItem>
  );
}

interface MenuGroupProps {
  readonly name: ReactNode;
  readonly children: ReactNode;
}

export function MenuGroup({ name, children }: MenuGroupProps) {
  return (
    <Menu.Group>
      <Menu.GroupLabel className="menu-about">{name}</Menu.GroupLabel>
      {children}
    </Menu.Group>
  );
}

interface MenuChoiceProps {
  readonly label: string;
  readonly className?: string;
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
  readonly children: ReactNode;
}

export function MenuChoice({ label, className, chosen, onChoose, children }: MenuChoiceProps) {
  return (
    <Menu.RadioGroup aria-label={label} className={className} value={chosen} onValueChange={onChoose}>
      {children}
    </Menu.RadioGroup>
  );
}

interface MenuOptionProps {
  readonly value: string;
  /** What it is reached by typing, where its content begins otherwise. */
  readonly text?: string;
  /** Why it cannot be chosen now. */
  readonly refusal?: string | undefined;
  /** Choosing it leaves the menu open. */
  readonly stays?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

export function MenuOption({
  value,
  text,
  refusal,
  stays = false,
  className = "menu-item",
  children,
}: MenuOptionProps) {
  return (
    <Menu.RadioItem
      value={value}
      className={className}
      disabled={refusal !== undefined}
      title={refusal}
      {...(text === undefined ? {} : { label: text })}
      closeOnClick={!stays}
    >
      {children}
    </Menu.RadioItem>
  );
}

interface MenuCheckProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ReactNode;
}

export function MenuCheck({ isOn, onChange, children }: MenuCheckProps) {
  return (
    <Menu.CheckboxItem className="menu-item" checked={isOn} onCheckedChange={onChange}>
      <Menu.CheckboxItemIndicator keepMounted className="menu-check">
        <Check aria-hidden="true" className="icon" />
      </Menu.CheckboxItemIndicator>
      {children}
    </Menu.CheckboxItem>
  );
}
