import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { toast as show, Toaster } from "sonner";

/** Long enough to read a sentence that appears at the edge of the page. */
const VISIBLE_MS = 6_000;

const place = document.createElement("div");
document.body.append(place);
/** Rendered synchronously: a message before the toaster listens would be lost. */
flushSync(() =>
  createRoot(place).render(
    <Toaster
      position="bottom-right"
      duration={VISIBLE_MS}
      containerAriaLabel="Messages"
      toastOptions={{
        unstyled: true,
        classNames: { toast: "pf-card toast", error: "toast-problem", success: "toast-success" },
      }}
    />,
  ),
);

export function say(text: string): void {
  show.success(text);
}

export function sayProblem(text: string): void {
  show.error(text);
}
