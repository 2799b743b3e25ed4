import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/**
 * A part of a page that is loaded when it is shown for the first time, inside a `Suspense` of its own: what most visits
 * never open does not delay them.
 * @param load imports the component
 */
export function later<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await load() }));
}
