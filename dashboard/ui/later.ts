import { type ComponentType, createElement, type ReactNode, useEffect, useSyncExternalStore } from "react";
import { loadCode } from "./load-code.ts";
import { addMissing } from "./missing-parts.ts";

/**
 * Lazily loads part of a page on first display: rarely opened parts do not delay a visit. Not by `Suspense`, which shows what
 * it waited for up to 0.3 s late. A part whose code does not come shows nothing; the page says so, and offers to try again.
 * @param load imports the component
 * @param Meanwhile stands in its place until it is there; nothing does otherwise
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Meanwhile?: ComponentType,
): LaterPart<P> {
  const part = new Part(load);
  function Later(props: P): ReactNode {
    const shown = useSyncExternalStore(part.subscribe, part.shown);
    if (shown) return createElement(shown, props);
    part.begin();
    return Meanwhile ? createElement(Meanwhile) : null;
  }
  return Object.assign(Later, { preload: () => part.preload() });
}

type LaterPart<P> = ComponentType<P> & {
  /** Loads the part before it is shown, so that it is there at once. Resolves also when it does not come. */
  readonly preload: () => Promise<void>;
};

/** A part of a page, with what is shown of it. */
class Part<P extends object> {
  /** Undefined until it is there, or known not to come. */
  #shown: ComponentType<P> | undefined;
  #isLoading = false;
  readonly #load: () => Promise<ComponentType<P>>;
  readonly #watchers = new Set<() => void>();

  constructor(load: () => Promise<ComponentType<P>>) {
    this.#load = load;
  }

  readonly shown = (): ComponentType<P> | undefined => this.#shown;

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  };

  /** Loads it, once for all that show it. */
  begin(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const missing: ComponentType<P> = () => createElement(Missing<P>, { part: this, missing });
    loadCode(this.#load).then(
      (component) => this.#show(component),
      () => this.#show(missing),
    );
  }

  again(): void {
    this.#show(undefined);
  }

  async preload(): Promise<void> {
    try {
      const component = await this.#load();
      if (this.#shown === undefined) this.#show(component);
    } catch {
      // Whoever shows the part loads it again, and is told.
    }
  }

  /** It stays shown as missing: React in development leaves what it shows once, and comes back. */
  stay(missing: ComponentType<P>): void {
    this.#shown = missing;
  }

  /** Whatever shows the part next tries anew, unless something does already. */
  leave(missing: ComponentType<P>): void {
    if (this.#shown === missing) this.#shown = undefined;
  }

  #show(component: ComponentType<P> | undefined): void {
    this.#shown = component;
    this.#isLoading = false;
    for (const changed of this.#watchers) changed();
  }
}

interface MissingProps<P extends object> {
  readonly part: Part<P>;
  readonly missing: ComponentType<P>;
}

/** In the place of a part that did not come. */
function Missing<P extends object>({ part, missing }: MissingProps<P>): null {
  useEffect(() => {
    part.stay(missing);
    const remove = addMissing(() => part.again());
    return () => {
      remove();
      part.leave(missing);
    };
  }, [part, missing]);
  return null;
}
