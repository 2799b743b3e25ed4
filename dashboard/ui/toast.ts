/** Shows a brief success message above any page; its code loads with the first one. */
export function toast(text: string): void {
  void load().then(({ say }) => say(text));
}

/** Shows a failure that no part of the page can show. */
export function toastProblem(text: string): void {
  void load().then(({ sayProblem }) => sayProblem(text));
}

const load = () => import("./toaster.tsx");
