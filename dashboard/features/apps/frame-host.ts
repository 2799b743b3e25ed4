import type { Executor } from "@parley/platform/host/executor.ts";
import { FrameBridge, type FrameEvents } from "@parley/platform/host/frame-bridge.ts";
import type { FrameInit, FromHost, Hello, ThemeMode } from "platform/wire";

/** Grants neither an origin nor anything of the dashboard: whatever is not named is denied. */
const SANDBOX = "allow-scripts allow-forms allow-popups";
/** A frame whose script has not said hello by then failed to load. */
const HELLO_MS = 20_000;

export interface FrameHostOptions {
  /** Address of the frame's document, on the apps' origin. */
  readonly address: string;
  /** Accessible name: whose frame it is. */
  readonly title: string;
  readonly theme: ThemeMode;
  readonly init: Omit<FrameInit, "kind" | "theme">;
  readonly execute: Executor;
  readonly events: FrameEvents;
}

/**
 * One frame of one app: the element and its bridge. The frame gets one port, once, for the nonce in its
 * address. If anything else loads in it, the bridge closes for good: the new document may be anyone's.
 */
export class FrameHost {
  readonly element: HTMLIFrameElement;
  readonly #options: FrameHostOptions;
  readonly #nonce = crypto.randomUUID();
  readonly #timer: ReturnType<typeof setTimeout>;
  #bridge: FrameBridge | undefined;
  #theme: ThemeMode;
  #loads = 0;
  #isOver = false;

  constructor(options: FrameHostOptions) {
    this.#options = options;
    this.#theme = options.theme;
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", SANDBOX);
    frame.setAttribute("allow", "");
    frame.referrerPolicy = "no-referrer";
    frame.title = options.title;
    frame.addEventListener("load", this.#onLoad);
    frame.src = `${options.address}#${new URLSearchParams({ nonce: this.#nonce, theme: options.theme })}`;
    this.element = frame;
    addEventListener("message", this.#onMessage);
    this.#timer = setTimeout(
      () => this.stop("The app did not load. Reload the page to try again."),
      HELLO_MS,
    );
  }

  setTheme(mode: ThemeMode): void {
    this.#theme = mode;
    this.#bridge?.tell({ kind: "theme", mode });
  }

  /** Tells the app that a dashboard button it contributed was pressed. */
  activate(contributionId: string): void {
    this.#bridge?.tell({ kind: "activated", contributionId });
  }

  /** Removes the frame and tells the observer why. */
  stop(reason: string): void {
    if (this.#isOver) return;
    this.dispose();
    this.#options.events.onClosed(reason);
  }

  /** Removes the frame silently, when its page is gone. */
  dispose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    removeEventListener("message", this.#onMessage);
    this.element.removeEventListener("load", this.#onLoad);
    this.#bridge?.close("The page was closed.");
    this.element.remove();
  }

  readonly #onLoad = (): void => {
    this.#loads += 1;
    if (this.#loads > 1) this.stop("The app tried to leave its page, and was stopped.");
  };

  readonly #onMessage = ({ source, origin, data }: MessageEvent<unknown>): void => {
    const { contentWindow } = this.element;
    if (contentWindow === null || source !== contentWindow || origin !== "null") return;
    if (this.#bridge !== undefined || this.#loads > 1 || !isHello(data) || data.nonce !== this.#nonce) return;
    clearTimeout(this.#timer);
    const { port1, port2 } = new MessageChannel();
    const { init, execute, events } = this.#options;
    this.#bridge = new FrameBridge(port1, execute, { ...events, onClosed: (reason) => this.stop(reason) });
    const first: FromHost = { ...init, kind: "init", theme: this.#theme };
    // A document without an origin can only be addressed as "*".
    contentWindow.postMessage(first, "*", [port2]);
  };
}

function isHello(data: unknown): data is Hello {
  return (
    typeof data === "object" &&
    data !== null &&
    "kind" in data &&
    data.kind === "parley-hello" &&
    "nonce" in data
  );
}
