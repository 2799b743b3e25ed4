import type { HostCall } from "../../host/executor.ts";
import type { Mock, MockOptions } from "../../mock/mock-executor.ts";
import { BridgeError } from "../../wire/errors.ts";

const TOAST_MS = 4_000;
const WIDTHS: Readonly<Record<string, string>> = { small: "24rem", medium: "40rem", large: "64rem" };

declare global {
  interface Window {
    /** What the page keeps, for the app's pages that it shows as modals. */
    parleyMock?: Mock;
    /** Set in a modal. */
    closeModal?: () => void;
  }
}

/** The mock of the page that shows this one as a modal: both have the same records and files. */
export function mockAround(): Mock | undefined {
  return window.parent === window ? undefined : window.parent.parleyMock;
}

/** What the dashboard does for an app, on the page that stands in for it. */
export function devHost(pages: readonly { readonly id: string }[]): NonNullable<MockOptions["handlers"]> {
  return {
    "ui.toast": ({ args }) => toast(String(args.message)),
    "ui.refresh": () => null,
    "ui.openModal": (call) => openModal(call, pages),
    "ui.closeModal": () => {
      if (window.closeModal === undefined) throw new BridgeError("conflict", "This page is in no modal.");
      window.closeModal();
      return null;
    },
  };
}

function toast(message: string): null {
  const shown = document.createElement("p");
  shown.setAttribute("role", "status");
  shown.className = "pf-card";
  shown.style.cssText = "position: fixed; bottom: 1rem; left: 1rem; padding: 0.75rem 1rem";
  shown.textContent = message;
  document.body.append(shown);
  setTimeout(() => shown.remove(), TOAST_MS);
  return null;
}

function openModal({ args }: HostCall, pages: readonly { readonly id: string }[]): null {
  const pageId = String(args.pageId);
  if (!pages.some(({ id }) => id === pageId))
    throw new BridgeError("not_found", `The app has no page ${pageId}.`);
  const { size = "medium" } = (args.opts ?? {}) as { readonly size?: string };
  const dialog = document.createElement("dialog");
  dialog.className = "pf-card";
  dialog.style.width = `min(${WIDTHS[size]}, 90vw)`;
  const frame = document.createElement("iframe");
  frame.style.cssText = "width: 100%; height: 60vh; border: 0";
  const context = JSON.stringify(args.context ?? {});
  frame.src = `/?${new URLSearchParams({ page: pageId, context })}`;
  frame.addEventListener("load", () => {
    if (frame.contentWindow) frame.contentWindow.closeModal = () => dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(frame);
  document.body.append(dialog);
  dialog.showModal();
  return null;
}
