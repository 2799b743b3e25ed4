import { Combobox } from "@base-ui/react/combobox";
import { Check } from "lucide-react";
import { type KeyboardEvent, useEffectEvent, useLayoutEffect, useRef } from "react";
import { chooseOption } from "./choose-option.ts";
import { placeOf } from "./opened.ts";

/** More are not drawn at once: two thousand would take a second. */
const MOST_SHOWN = 200;

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
  /** From now on the keys are its own. */
  readonly onShown: () => void;
  readonly onClose: () => void;
}

/** What is loaded of `LongChoices` when the first one opens. */
export function LongChoiceBox({ select, typed, onShown, onClose }: LongChoiceBoxProps) {
  const groups = groupsOf(select);
  const chosen = groups.flatMap(({ items }) => items).find(({ value }) => value === select.value);
  const close = (): void => {
    onClose();
    select.focus();
  };
  const choose = (choice: Choice | null): void => {
    if (choice) chooseOption(select, choice.value);
    close();
  };
  const take = (search: HTMLInputElement): void => {
    onShown();
    // Whoever went on before it was there stays where they are.
    if (document.activeElement === select) search.focus();
    else if (document.activeElement !== search) onClose();
  };
  return (
    <Combobox.Root
      open
      items={groups}
      defaultValue={chosen ?? null}
      defaultInputValue={typed}
      autoHighlight
      limit={MOST_SHOWN}
      isItemEqualToValue={(one, other) => one.value === other.value}
      onValueChange={choose}
      onOpenChange={(_isOpen, { reason }) => {
        // A press elsewhere puts the focus there.
        if (reason === "outside-press" || reason === "focus-out") onClose();
        else if (reason === "escape-key") close();
      }}
    >
      <Combobox.Portal className="over-page" container={select.closest<HTMLElement>("[role=dialog], main")}>
        <Combobox.Positioner {...placeOf(select)}>
          <Popup
            label={nameOf(select)}
            isLimited={select.options.length > MOST_SHOWN}
            onShown={take}
            onClose={close}
          />
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

interface PopupProps {
  readonly label: string;
  readonly isLimited: boolean;
  readonly onShown: (search: HTMLInputElement) => void;
  readonly onClose: () => void;
}

function Popup({ label, isLimited, onShown, onClose }: PopupProps) {
  const search = useRef<HTMLInputElement>(null);
  const show = useEffectEvent(onShown);
  // Base UI would move the focus a frame later, when the next key has gone elsewhere.
  useLayoutEffect(() => {
    if (search.current) show(search.current);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Tab") {
      // What was typed is chosen, as in the field itself; the focus goes on from there.
      const found = search.current?.value ? foundIn(event.currentTarget) : null;
      if (found instanceof HTMLElement) found.click();
      else onClose();
    }
    if (event.key !== "Escape") return;
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
      <Combobox.Empty className="long-choice-note pf-muted">Nothing matches.</Combobox.Empty>
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
      {isLimited && (
        <p className="long-choice-note pf-muted">Shows at most {MOST_SHOWN}. Type to find the others.</p>
      )}
    </Combobox.Popup>
  );
}

/** The option that the keyboard stands on; the first one where the highlight has not come yet. */
function foundIn(popup: Element): Element | null {
  return (
    popup.querySelector("[data-highlighted]") ?? popup.querySelector("[role=option]:not([data-disabled])")
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

function nameOf(select: HTMLSelectElement): string {
  return select.ariaLabel ?? select.labels[0]?.textContent ?? "";
}
