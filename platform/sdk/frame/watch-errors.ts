import { type FromFrame, MAX_CRASH_CHARS } from "../wire.ts";

/**
 * Reports uncaught errors to the dashboard, and shows the last one in the frame. Returns the function that reports one
 * of the frame itself, whose script is of another origin: browsers say "Script error." of what it throws.
 */
export function watchErrors(send: (message: FromFrame) => void): (error: Error) => void {
  const report = (thrown: unknown, fallback: string): void => {
    const { message, stack } = wordsOf(thrown, fallback);
    send({ kind: "crash", message, stack });
    show("This app has an error", stack === "" ? message : stack);
  };
  addEventListener("error", (event) => {
    // A resource that fails to load has no message, and its event does not bubble here.
    report(event.error, event.message);
  });
  addEventListener("unhandledrejection", (event) => report(event.reason, "A promise was rejected."));
  return (error) => report(error, "");
}

/** Shows that the dashboard no longer answers. */
export function showClosed(reason: string): void {
  show("This app was stopped", reason);
}

function wordsOf(thrown: unknown, fallback: string): { message: string; stack: string } {
  const short = (text: string): string => text.slice(0, MAX_CRASH_CHARS);
  if (thrown instanceof Error) return { message: short(thrown.message), stack: short(thrown.stack ?? "") };
  return { message: short(fallback === "" ? String(thrown) : fallback), stack: "" };
}

function show(title: string, text: string): void {
  const known = document.getElementById("parley-frame-error");
  const box = known ?? document.createElement("section");
  box.id = "parley-frame-error";
  box.className = "pf-card pf-frame-error";
  box.setAttribute("role", "alert");
  const heading = document.createElement("strong");
  heading.textContent = title;
  const stack = document.createElement("pre");
  stack.textContent = text;
  box.replaceChildren(heading, stack);
  if (known === null) document.body.append(box);
}
