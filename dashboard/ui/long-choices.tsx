import { type RefObject, useEffect, useRef, useState } from "react";
import { chooseOption, optionThatBegins } from "./choose-option.ts";
import { later } from "./later.ts";

/** Choices with more options than this are searched. */
const MOST = 10;
const OPENING_KEYS: ReadonlySet<string> = new Set([" ", "ArrowDown", "ArrowUp"]);

const LongChoiceBox = later(async () => (await import("./long-choice-box.tsx")).LongChoiceBox);

interface Opened {
  readonly select: HTMLSelectElement;
  /** What was typed on it already. */
  readonly typed: string;
}

/**
 * Lets people search the options of a long `select`, once for all pages: the field stays the browser's own, with its label,
 * value and form, and only the list that it opens is replaced. A finger gets the phone's own list. Its code comes with the
 * first one.
 */
export function LongChoices() {
  const [opened, setOpened] = useState<Opened>();
  /** What opens, until it is there: keys still go to the field. */
  const opening = useRef<Opened>(undefined);
  useEffect(() => {
    const leave = new AbortController();
    listen(opening, setOpened, leave.signal);
    return () => leave.abort();
  }, []);
  if (!opened) return null;
  const show = (): void => {
    opening.current = undefined;
  };
  return <LongChoiceBox {...opened} onShown={show} onClose={() => setOpened(undefined)} />;
}

function listen(
  opening: RefObject<Opened | undefined>,
  show: (opened: Opened | undefined) => void,
  signal: AbortSignal,
): void {
  let isFinger = false;
  const opens = (event: Event, typed = ""): void => {
    const select = longChoice(event.target);
    if (!select) return;
    event.preventDefault();
    select.focus();
    const before = opening.current?.select === select ? opening.current.typed : "";
    opening.current = { select, typed: before + typed };
    show(opening.current);
  };
  const leaves = (): void => {
    const left = opening.current;
    if (!left) return;
    opening.current = undefined;
    show(undefined);
    const found = optionThatBegins(left.select, left.typed);
    if (found) chooseOption(left.select, found.value);
  };
  const hear = <T extends keyof DocumentEventMap>(type: T, deed: (event: DocumentEventMap[T]) => void) =>
    // Before whatever the field is in, which may keep keys to itself.
    document.addEventListener(type, deed, { signal, capture: true });
  const fetch = ({ target }: Event): void => {
    if (longChoice(target)) void LongChoiceBox.preload();
  };
  hear("pointerover", fetch);
  hear("focusin", fetch);
  hear("pointerdown", ({ pointerType }) => {
    isFinger = pointerType === "touch";
  });
  hear("mousedown", (event) => {
    if (!isFinger && event.button === 0) opens(event);
  });
  hear("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.isComposing) return;
    if (event.key === "Tab") leaves();
    else if (OPENING_KEYS.has(event.key)) opens(event, event.key === " " && opening.current ? " " : "");
    else if (event.key.length === 1 && !event.altKey) opens(event, event.key);
  });
}

function longChoice(at: EventTarget | null): HTMLSelectElement | undefined {
  const isLong = at instanceof HTMLSelectElement && !at.multiple && !at.disabled && at.options.length > MOST;
  return isLong ? at : undefined;
}
