import { lazyRouteComponent } from "@tanstack/react-router";
import { loadCode } from "../ui/load-code.ts";

/**
 * A page whose code comes when it is opened. Code that does not come is `FailedPage`'s to tell: the router would reload the
 * browser by itself, and hang up whoever is on the softphone.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => loadCode(load), name);
