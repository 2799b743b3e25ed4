const FIELDS = "input, textarea, select, [contenteditable]:not([contenteditable='false'])";
/** Whoever went to a field or pressed a key less long ago is typing: a hand takes longer to get from there to an app. */
const TYPING_MS = 400;
/** On a screen that can be touched, a finger may go to an app of which the page is told nothing. */
const TOUCH = "(any-pointer: coarse)";
/** Whoever turned the wheel less long ago moved the page beneath the pointer. */
const SCROLL_MS = 1_000;
/** A browser lets frames focus themselves at any time; more often than this while somebody types, it is meant. */
const THEFTS = 3;

/** A frame as the guard sees it. */
export interface GuardedFrame {
  readonly element: HTMLIFrameElement;
  /** Tells the frame whether it may take the focus. */
  mayFocus(may: boolean): void;
  /** The frame took the focus again and again while somebody typed elsewhere. */
  onThefts(): void;
}

/**
 * Keeps apps from taking the focus, and with it what is typed, while somebody types in the dashboard. Frames are told
 * to leave it; what one takes nevertheless is taken back, and it is stopped.
 */
class FocusGuard {
  readonly #thefts = new Map<GuardedFrame, number>();
  /** The dashboard's field that has the focus. */
  #field: HTMLElement | undefined;
  #typedMs = Number.NEGATIVE_INFINITY;
  /** What the mouse was last pressed in, until Tab leaves it. Screen readers and voices move without a mouse. */
  #pressed: Element | null = null;
  /** Where the page last saw the pointer, in CSS px of the window. */
  #pointer = { x: Number.NaN, y: Number.NaN };
  #scrolledMs = Number.NEGATIVE_INFINITY;
  /** Frames that came to lie beneath a pointer that rested. They feel no pointer until it moves. */
  readonly #shoved = new Set<GuardedFrame>();
  /** The one of them in which it then moved. */
  #admitted: GuardedFrame | undefined;

  add(frame: GuardedFrame): void {
    if (this.#thefts.size === 0)
      for (const [name, listener] of this.#listeners) document.addEventListener(name, listener, true);
    this.#thefts.set(frame, 0);
    if (this.#field === undefined) this.#attend(document.activeElement);
    else frame.mayFocus(false);
  }

  remove(frame: GuardedFrame): void {
    this.#thefts.delete(frame);
    this.#shoved.delete(frame);
    if (this.#thefts.size > 0) return;
    for (const [name, listener] of this.#listeners) document.removeEventListener(name, listener, true);
    this.#field = undefined;
    this.#pressed = null;
  }

  #attend(target: EventTarget | null): void {
    const field = target instanceof HTMLElement && target.matches(FIELDS) ? target : undefined;
    if (field === this.#field) return;
    this.#field = field;
    this.#typedMs = performance.now();
    for (const frame of this.#thefts.keys()) {
      this.#thefts.set(frame, 0);
      frame.mayFocus(field === undefined);
    }
  }

  readonly #onFocus = ({ target }: Event): void => {
    if (!(target instanceof HTMLIFrameElement)) this.#attend(target);
  };

  readonly #onKey = (event: Event): void => {
    const isLeaving = event instanceof KeyboardEvent && event.key === "Tab";
    this.#typedMs = isLeaving ? Number.NEGATIVE_INFINITY : performance.now();
    if (isLeaving) this.#pressed = null;
  };

  readonly #onPress = (event: Event): void => {
    const isMouse = event instanceof PointerEvent && event.pointerType === "mouse";
    if (isMouse) this.#pointer = event;
    const isByMouse = isMouse && event.target instanceof Element && !matchMedia(TOUCH).matches;
    this.#pressed = isByMouse ? event.target.closest(FIELDS) : null;
  };

  readonly #onWheel = (): void => {
    this.#scrolledMs = performance.now();
  };

  readonly #onMove = (event: Event): void => {
    if (!(event instanceof PointerEvent) || !this.#hasMoved(event)) return;
    this.#pointer = event;
    this.#admitted = [...this.#shoved].find(({ element }) => isWithin(event, element));
    for (const { element } of this.#shoved) element.style.pointerEvents = "";
    this.#shoved.clear();
  };

  /** A frame that grows, or that the page moves, enters the pointer; only a pointer that moved enters a frame. */
  readonly #onEnter = (event: Event): void => {
    if (!(event instanceof PointerEvent)) return;
    const frame = [...this.#thefts.keys()].find(({ element }) => element === event.target);
    const isPressed = this.#field !== undefined && this.#field === this.#pressed;
    const isScrolled = performance.now() - this.#scrolledMs < SCROLL_MS;
    const isMeant = frame === this.#admitted || isScrolled || this.#hasMoved(event);
    if (frame === undefined || !isPressed || isMeant) {
      this.#pointer = event;
      if (frame !== this.#admitted) this.#admitted = undefined;
      return;
    }
    this.#shoved.add(frame);
    frame.element.style.pointerEvents = "none";
  };

  #hasMoved({ clientX, clientY }: PointerEvent): boolean {
    return clientX !== this.#pointer.x || clientY !== this.#pointer.y;
  }

  readonly #onFocusOut = (): void => {
    const field = this.#field;
    // What has the focus next is known after the event.
    queueMicrotask(() => this.#look(field));
    setTimeout(() => this.#look(field));
  };

  #look(field: HTMLElement | undefined): void {
    const frame = this.#takerFrom(field);
    if (frame === undefined || field === undefined) return;
    if (!field.isConnected) this.#attend(null);
    else if (performance.now() - this.#typedMs < TYPING_MS) this.#takeBack(frame, field);
    else if (field !== this.#pressed) this.#attend(null);
    // Where the pointer is, a page is told with the next picture.
    else requestAnimationFrame(() => this.#lookAtPointer(field));
  }

  /** Whoever went to the field by mouse goes from there to an app by mouse as well, however long they think. */
  #lookAtPointer(field: HTMLElement): void {
    const frame = this.#takerFrom(field);
    if (frame === undefined) return;
    if (frame.element.matches(":hover") && !this.#shoved.has(frame)) this.#attend(null);
    else this.#takeBack(frame, field);
  }

  /** The frame that has the focus in place of a field that had it. */
  #takerFrom(field: HTMLElement | undefined): GuardedFrame | undefined {
    if (field !== this.#field) return undefined;
    const { activeElement } = document;
    return [...this.#thefts.keys()].find(({ element }) => element === activeElement);
  }

  #takeBack(frame: GuardedFrame, field: HTMLElement): void {
    const thefts = (this.#thefts.get(frame) ?? 0) + 1;
    this.#thefts.set(frame, thefts);
    if (thefts >= THEFTS) frame.onThefts();
    field.focus();
  }

  readonly #listeners: readonly (readonly [name: string, listener: (event: Event) => void])[] = [
    ["focusin", this.#onFocus],
    ["focusout", this.#onFocusOut],
    ["keydown", this.#onKey],
    ["pointerdown", this.#onPress],
    ["pointermove", this.#onMove],
    ["pointerover", this.#onEnter],
    ["wheel", this.#onWheel],
  ];
}

function isWithin({ clientX, clientY }: PointerEvent, element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX >= left && clientX < right && clientY >= top && clientY < bottom;
}

/** Of this window. */
export const focusGuard = new FocusGuard();
