import type { Executor } from "@parley/platform/host/executor.ts";
import { FrameBridge, type FrameEvents } from "@parley/platform/host/frame-bridge.ts";
import { plainEnglish } from "@parley/shared/contracts/plain-english.ts";
import type { FrameInit, FromHost, Hello, ThemeMode } from "platform/wire";
import { focusGuard, type GuardedFrame } from "./focus-guard.ts";

/** Grants neither an origin nor anything of the dashboard: whatever is not named is denied. */
const SANDBOX = "allow-scripts allow-forms allow-popups";
/** A frame whose script has not said hello by then failed to load. */
const HELLO_MS = 20_000;
/** A frame that answers none of these in a row has crashed, for want of memory perhaps, or never ends what it does. */
const PING_MS = 4_000;
const PINGS = 5;

export interface FrameHostOptions {
  /** Address of the frame's document, on the apps' origin. */
  readonly address: string;
  /** Accessible name: whose frame it is. */
  readonly title: string;
  readonly theme: ThemeMode;
  readonly init: Omit<FrameInit, "kind" | "theme">;
  readonly execute: Executor;
  readonly events: Omit<FrameEvents, "onAlive">;
}

/**
 * One frame of one app: the element and its bridge. The frame gets one port, once, for the nonce in its
 * address. If anything else loads in it, the bridge closes for good: the new document may be anyone's.
 */
export class FrameHost implements GuardedFrame {
  readonly element: HTMLIFrameElement;
  readonly #options: FrameHostOptions;
  readonly #nonce = crypto.randomUUID();
  readonly #timer: ReturnType<typeof setTimeout>;
  #pings: ReturnType<typeof setInterval> | undefined;
  #unanswered = 0;
  #bridge: FrameBridge | undefined;
  #theme: ThemeMode;
  #mayFocus = true;
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
    focusGuard.add(this);
    addEventListener("message", this.#onMessage);
    this.#timer = setTimeout(
      () => this.stop("The app did not load. Reload the page to try again."),
      HELLO_MS,
    );
  }

  mayFocus(may: boolean): void {
    this.#mayFocus = may;
    this.#bridge?.tell({ kind: "focus", may });
  }

  onThefts(): void {
    this.stop("The app took the focus while you were typing, and was stopped.");
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
    clearInterval(this.#pings);
    removeEventListener("message", this.#onMessage);
    focusGuard.remove(this);
    this.element.removeEventListener("load", this.#onLoad);
    this.#bridge?.close("The page was closed.");
    this.element.remove();
  }

  readonly #onLoad = (): void => {
    this.#loads += 1;
    if (this.#loads > 1) this.stop("The app tried to leave its page, and was stopped.");
  };

  #ping(): void {
    if (this.#unanswered >= PINGS)
      this.stop("The app stopped responding. It may be busy, or need too much memory.");
    this.#unanswered += 1;
    this.#bridge?.tell({ kind: "ping" });
  }

  readonly #onMessage = ({ source, origin, data }: MessageEvent<unknown>): void => {
    const { contentWindow } = this.element;
    if (contentWindow === null || source !== contentWindow || origin !== "null") return;
    if (this.#bridge !== undefined || this.#loads > 1 || !isHello(data) || data.nonce !== this.#nonce) return;
    clearTimeout(this.#timer);
    const { port1, port2 } = new MessageChannel();
    const { init, execute, events } = this.#options;
    const all = {
      ...events,
      onAlive: () => {
        this.#unanswered = 0;
      },
      onClosed: (reason: string) => this.stop(reason),
    };
    this.#bridge = new FrameBridge(port1, execute, all, plainEnglish);
    // Whoever builds an app halts it in a debugger.
    if (init.liveReload === null) this.#pings = setInterval(() => this.#ping(), PING_MS);
    const first: FromHost = { ...init, kind: "init", theme: this.#theme };
    // A document without an origin can only be addressed as "*".
    contentWindow.postMessage(first, "*", [port2]);
    this.#bridge.tell({ kind: "focus", may: this.#mayFocus });
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
