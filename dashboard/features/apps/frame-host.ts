import type { Executor } from "@parley/platform/host/executor.ts";
import { FrameBridge, type FrameEvents } from "@parley/platform/host/frame-bridge.ts";
import type { FrameInit, FromHost, Hello, ThemeMode } from "platform/wire";

/** No origin, and nothing of the dashboard's: what is not named here the frame may not. */
const SANDBOX = "allow-scripts allow-forms allow-popups";
/** A frame whose own script has not said hello by then was not loaded. */
const HELLO_MS = 20_000;

export interface FrameHostOptions {
  /** The frame's document, on the origin of apps. */
  readonly address: string;
  /** Whose it is, for whoever cannot see it. */
  readonly title: string;
  readonly theme: ThemeMode;
  readonly init: Omit<FrameInit, "kind" | "theme">;
  readonly execute: Executor;
  readonly events: FrameEvents;
}

/**
 * One frame of one app: the element, and its bridge. The frame gets one port, once, for the nonce in its address. Should
 * anything else be loaded into it, the bridge is closed for good: the new document may be anybody's.
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

  /** A button of the dashboard that the app contributed was pressed. */
  activate(contributionId: string): void {
    this.#bridge?.tell({ kind: "activated", contributionId });
  }

  /** Takes the frame away; whoever watches is told why. */
  stop(reason: string): void {
    if (this.#isOver) return;
    this.dispose();
    this.#options.events.onClosed(reason);
  }

  /** The same without a word: the page that showed it is gone. */
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
    // A document without an origin has no other name.
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
