import { Suspense, useEffect, useState } from "react";
import { later } from "./later.ts";

/** Choices with more options than this are searched. */
const MOST = 10;
const OPENING_KEYS: ReadonlySet<string> = new Set([" ", "ArrowDown", "ArrowUp"]);

const load = () => import("./long-choice-box.tsx");
const LongChoiceBox = later(async () => (await load()).LongChoiceBox);

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
  useEffect(() => {
    const leave = new AbortController();
    listen(setOpened, leave.signal);
    return () => leave.abort();
  }, []);
  if (!opened) return null;
  return (
    <Suspense>
      <LongChoiceBox {...opened} onClose={() => setOpened(undefined)} />
    </Suspense>
  );
}

function listen(open: (opened: Opened) => void, signal: AbortSignal): void {
  let isFinger = false;
  const opens = (event: Event, typed = ""): void => {
    const select = longChoice(event.target);
    if (!select) return;
    event.preventDefault();
    select.focus();
    open({ select, typed });
  };
  const hear = <T extends keyof DocumentEventMap>(type: T, deed: (event: DocumentEventMap[T]) => void) =>
    // Before whatever the field is in, which may keep keys to itself.
    document.addEventListener(type, deed, { signal, capture: true });
  const fetch = ({ target }: Event): void => {
    if (longChoice(target)) void load().then(undefined, () => undefined);
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
    if (OPENING_KEYS.has(event.key)) opens(event);
    else if (event.key.length === 1 && !event.altKey) opens(event, event.key);
  });
}

function longChoice(at: EventTarget | null): HTMLSelectElement | undefined {
  const isLong = at instanceof HTMLSelectElement && !at.multiple && !at.disabled && at.options.length > MOST;
  return isLong ? at : undefined;
}
