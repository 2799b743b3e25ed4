import { createPlatform } from "../bridge/create-platform.ts";
import { PortCaller } from "../bridge/port-caller.ts";
import type { FrameInit, FromFrame, FromHost, Hello, ThemeMode } from "../wire.ts";
import { politeFocus } from "./focus.ts";
import { keepOutOfHistory } from "./history.ts";
import { lockDown } from "./lock-down.ts";
import { addShims } from "./shims.ts";
import { showClosed, watchErrors } from "./watch-errors.ts";
import { watchHeight } from "./watch-height.ts";

/**
 * The first script of every app's frame: closes what the sandbox leaves open, gets the one port to the
 * dashboard, and only then loads the app. The address carries `nonce` and `theme` in its fragment.
 */
export function startFrame(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  showTheme(fragment.get("theme") === "dark" ? "dark" : "light");
  lockDown();
  keepOutOfHistory();
  const mayFocus = politeFocus();
  addShims();
  addEventListener("message", function take(event: MessageEvent<FrameInit>) {
    const [port] = event.ports;
    if (event.source !== parent || port === undefined || event.data?.kind !== "init") return;
    removeEventListener("message", take);
    begin(event.data, { port, mayFocus });
  });
  const hello: Hello = { kind: "parley-hello", nonce: fragment.get("nonce") ?? "" };
  parent.postMessage(hello, "*");
}

/** As long as browsers wait for a server that was there. */
const ASK_AGAIN_MS = 3_000;

interface FrameEnds {
  readonly port: MessagePort;
  readonly mayFocus: (may: boolean) => void;
}

function begin(init: FrameInit, { port, mayFocus }: FrameEnds): void {
  const caller = new PortCaller(port);
  const { platform, events } = createPlatform(caller, init);
  const send = (message: FromFrame): void => port.postMessage(message);
  Object.defineProperty(window, "platform", { value: platform, enumerable: true });
  document.title = init.context.title;
  showTheme(init.theme);
  port.onmessage = ({ data }: MessageEvent<FromHost>) => {
    switch (data.kind) {
      case "theme":
        showTheme(data.mode);
        return events.theme(data.mode);
      case "ping":
        return send({ kind: "alive" });
      case "focus":
        return mayFocus(data.may);
      case "activated":
        return events.activated(data.contributionId);
      case "closed":
        caller.close(data.reason);
        return showClosed(data.reason);
      case "init":
        return;
      default:
        return caller.take(data);
    }
  };
  const report = watchErrors(send);
  watchHeight(send);
  tellWhenMounted(send);
  if (init.liveReload !== null) followRebuilds(init.liveReload, send);
  whenLoaded(() => load(init, report));
}

/**
 * Waits for the load event. The host closes the bridge on a second document, and an app that navigated away
 * before the first one loaded would make the second look like the first.
 */
function whenLoaded(next: () => void): void {
  if (document.readyState === "complete") next();
  // Deferred past the event, since the host sees it only once it is over.
  else addEventListener("load", () => setTimeout(next), { once: true });
}

/** Applies the theme before the first paint, and whenever the dashboard's changes. */
function showTheme(mode: ThemeMode): void {
  document.documentElement.dataset.pfTheme = mode;
  document.documentElement.style.colorScheme = mode;
}

function load({ entry, style, liveReload }: FrameInit, report: (error: Error) => void): void {
  if (style !== null) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = style;
    document.head.append(link);
  }
  const script = document.createElement("script");
  script.type = "module";
  script.src = entry;
  const hint = liveReload === null ? "" : ". Is its development server running?";
  script.onerror = () => report(new Error(`The app's entry could not be loaded: ${entry}${hint}`));
  document.head.append(script);
}

function tellWhenMounted(send: (message: FromFrame) => void): void {
  const root = document.getElementById("root");
  if (root === null) return;
  const seen = new MutationObserver(() => {
    if (root.childNodes.length === 0) return;
    seen.disconnect();
    send({ kind: "mounted" });
  });
  seen.observe(root, { childList: true });
}

function followRebuilds(address: string, send: (message: FromFrame) => void, isBack = false): void {
  const source = new EventSource(address);
  const rebuilt = (): void => send({ kind: "rebuilt" });
  source.onmessage = rebuilt;
  // A server that is back may have another build, or the first one that could be loaded.
  if (isBack) source.onopen = rebuilt;
  source.onerror = () => {
    // Browsers do not ask again where nothing answered at first.
    source.close();
    setTimeout(() => followRebuilds(address, send, true), ASK_AGAIN_MS);
  };
}
