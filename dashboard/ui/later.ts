import { type ComponentType, createElement, lazy, useEffect, useSyncExternalStore } from "react";
import { loadCode } from "./load-code.ts";
import { addMissing } from "./missing-parts.ts";

/**
 * Lazily loads part of a page on first display, inside its own `Suspense`: rarely opened parts do not delay a
 * visit. A part whose code does not come shows nothing; the page says so, and offers to try again.
 * @param load imports the component
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): LaterPart<P> {
  const part = new Part(load);
  const show = (props: P) => createElement(Current<P>, { part, props });
  return Object.assign(show, { preload: () => part.preload() });
}

type LaterPart<P> = ComponentType<P> & {
  /** Loads the part before it is shown, so that it is there at once: React shows what it waited for up to 0.3 s late. */
  readonly preload: () => void;
};

/** A part of a page, with its latest attempt to load it. */
class Part<P extends object> {
  #attempt: ComponentType<P>;
  readonly #load: () => Promise<ComponentType<P>>;
  readonly #shown = new Set<() => void>();

  constructor(load: () => Promise<ComponentType<P>>) {
    this.#load = load;
    this.#attempt = this.#begin();
  }

  readonly attempt = (): ComponentType<P> => this.#attempt;

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#shown.add(changed);
    return () => this.#shown.delete(changed);
  };

  again(): void {
    this.#attempt = this.#begin();
    for (const changed of this.#shown) changed();
  }

  preload(): void {
    this.#load().then(
      (component) => {
        // What is shown already would begin anew.
        if (this.#shown.size === 0) this.#attempt = component;
      },
      // Whoever shows the part loads it again, and is told.
      () => undefined,
    );
  }

  /** The attempt that is shown stays the current one: React in development leaves what it shows once, and comes back. */
  stay(attempt: ComponentType<P>): void {
    this.#attempt = attempt;
  }

  /** Whatever shows the part next tries anew, unless something does already. */
  leave(attempt: ComponentType<P>): void {
    if (this.#attempt === attempt) this.#attempt = this.#begin();
  }

  /** Nothing is loaded before it is shown. */
  #begin(): ComponentType<P> {
    const attempt: ComponentType<P> = lazy(() =>
      loadCode(this.#load).then(
        (component) => ({ default: component }),
        () => ({ default: () => createElement(Missing<P>, { part: this, attempt }) }),
      ),
    );
    return attempt;
  }
}

function Current<P extends object>({ part, props }: { readonly part: Part<P>; readonly props: P }) {
  return createElement(useSyncExternalStore(part.subscribe, part.attempt), props);
}

interface MissingProps<P extends object> {
  readonly part: Part<P>;
  readonly attempt: ComponentType<P>;
}

/** In the place of a part that did not come. */
function Missing<P extends object>({ part, attempt }: MissingProps<P>): null {
  useEffect(() => {
    part.stay(attempt);
    const remove = addMissing(() => part.again());
    return () => {
      remove();
      part.leave(attempt);
    };
  }, [part, attempt]);
  return null;
}
