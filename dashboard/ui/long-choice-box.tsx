import { Combobox } from "@base-ui/react/combobox";
import { Check } from "lucide-react";
import { type KeyboardEvent, useLayoutEffect, useRef } from "react";

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly isDisabled: boolean;
}

/** Options under a heading, `""` for those outside of any. */
interface Group {
  readonly value: string;
  readonly items: readonly Choice[];
}

interface LongChoiceBoxProps {
  readonly select: HTMLSelectElement;
  readonly typed: string;
  readonly onClose: () => void;
}

/** What is loaded of `LongChoices` when the first one opens. */
export function LongChoiceBox({ select, typed, onClose }: LongChoiceBoxProps) {
  const groups = groupsOf(select);
  const chosen = groups.flatMap(({ items }) => items).find(({ value }) => value === select.value);
  const close = (): void => {
    onClose();
    select.focus();
  };
  const choose = (choice: Choice | null): void => {
    if (choice && choice.value !== select.value) set(select, choice.value);
    close();
  };
  return (
    <Combobox.Root
      open
      items={groups}
      defaultValue={chosen ?? null}
      defaultInputValue={typed}
      autoHighlight
      isItemEqualToValue={(one, other) => one.value === other.value}
      onValueChange={choose}
      onOpenChange={(_isOpen, { reason }) => {
        // A press elsewhere puts the focus there.
        if (reason === "outside-press" || reason === "focus-out") onClose();
        else if (reason === "escape-key") close();
      }}
    >
      <Combobox.Portal className="tip-portal" container={select.closest<HTMLElement>("[role=dialog], main")}>
        <Combobox.Positioner
          anchor={select}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          positionMethod="fixed"
          className="menu-place"
        >
          <Popup label={nameOf(select)} onClose={close} />
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

function Popup({ label, onClose }: { readonly label: string; readonly onClose: () => void }) {
  const search = useRef<HTMLInputElement>(null);
  // Base UI would move the focus a frame later, when the next key has gone elsewhere.
  useLayoutEffect(() => search.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" && event.key !== "Tab") return;
    // What the field is in, such as a dialog, stays open.
    event.stopPropagation();
    event.preventDefault();
    onClose();
  };
  return (
    <Combobox.Popup
      aria-label={label}
      className="pf-card long-choice"
      initialFocus={false}
      finalFocus={false}
      onKeyDown={onKeyDown}
    >
      <Combobox.Input
        ref={search}
        className="pf-input"
        aria-label={`Search: ${label}`}
        placeholder="Search"
      />
      <Combobox.Empty className="long-choice-empty pf-muted">Nothing matches.</Combobox.Empty>
      <Combobox.List className="long-choice-list">
        {(group: Group) => (
          <Combobox.Group key={group.value} items={[...group.items]}>
            {group.value !== "" && (
              <Combobox.GroupLabel className="menu-about pf-muted">{group.value}</Combobox.GroupLabel>
            )}
            <Combobox.Collection>
              {(choice: Choice) => (
                <Combobox.Item
                  key={choice.value}
                  value={choice}
                  disabled={choice.isDisabled}
                  className="menu-item"
                >
                  {choice.label}
                  <Combobox.ItemIndicator className="menu-check">
                    <Check aria-hidden="true" className="icon" />
                  </Combobox.ItemIndicator>
                </Combobox.Item>
              )}
            </Combobox.Collection>
          </Combobox.Group>
        )}
      </Combobox.List>
    </Combobox.Popup>
  );
}

function groupsOf(select: HTMLSelectElement): Group[] {
  const groups = new Map<string, Choice[]>();
  for (const option of select.options) {
    const group = option.parentElement instanceof HTMLOptGroupElement ? option.parentElement.label : "";
    const items = groups.get(group) ?? [];
    items.push({ value: option.value, label: option.text, isDisabled: option.disabled });
    groups.set(group, items);
  }
  return [...groups].map(([value, items]) => ({ value, items }));
}

/** Chooses as a person would: whoever listens to the field hears of it. */
function set(select: HTMLSelectElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value")?.set?.call(select, value);
  for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
}

function nameOf(select: HTMLSelectElement): string {
  return select.ariaLabel ?? select.labels[0]?.textContent ?? "";
}
