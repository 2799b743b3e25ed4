import { loadCode } from "./load-code.ts";

/** Shows a brief success message above any page; its code loads with the first one. */
export function toast(text: string): void {
  void load().then(({ say }) => say(text));
}

/** Shows a failure that no part of the page can show. */
export function toastProblem(text: string): void {
  void load().then(({ sayProblem }) => sayProblem(text));
}

let toaster: Promise<typeof import("./toaster.tsx")> | undefined;

/** One promise for all, so that messages appear in the order in which they were raised. */
function load(): Promise<typeof import("./toaster.tsx")> {
  toaster ??= loadCode(() => import("./toaster.tsx")).catch((error: unknown) => {
    toaster = undefined;
    throw error;
  });
  return toaster;
}
