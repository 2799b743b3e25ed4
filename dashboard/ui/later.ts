import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/**
 * Lazily loads part of a page on first display, inside its own `Suspense`: rarely opened parts do not delay a
 * visit.
 * @param load imports the component
 */
export function later<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await load() }));
}
