import { Announcer } from "./announcer.ts";
import type { Conversation } from "./conversation.ts";
import { element, icon } from "./element.ts";
import { MessageLog } from "./message-log.ts";
import { readableOn, type WidgetSettings } from "./settings.ts";
import css from "./widget.css?inline";

const TALK = "M21 12a8 8 0 0 1-8 8H4l2-3.5A8 8 0 1 1 21 12Z";
const CROSS = "M6 6l12 12M18 6L6 18";
const ARROW = "M5 12h14M13 6l6 6-6 6";
const HOST = { all: "initial", display: "block", position: "fixed", "z-index": "2147483000" };
const MAX_CHARS = 16_000;

/** Puts the widget on the page, in a shadow root: the page's styles and the widget's do not meet. */
export function mount(settings: WidgetSettings, conversation: Conversation): void {
  const host = element("div");
  host.dataset.parleyChat = settings.agentId;
  // In front of any rule of the page, important ones too.
  for (const [name, value] of Object.entries(HOST)) host.style.setProperty(name, value, "important");
  const shadow = host.attachShadow({ mode: "open" });
  // Unlike a style element this needs no permission of the page's content security policy.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  shadow.adoptedStyleSheets = [sheet];
  const parts = buildParts(settings);
  shadow.append(parts.root);
  new View(parts, conversation).start();
  document.body.append(host);
}

type Parts = ReturnType<typeof buildParts>;

function buildParts({ title, greeting, theme, position, accent }: WidgetSettings) {
  const log = new MessageLog(greeting);
  const announcer = new Announcer();
  const close = element(
    "button",
    { type: "button", class: "close", "aria-label": "Close chat" },
    icon(CROSS),
  );
  const faultText = element("span", { role: "alert" });
  const retry = element("button", { type: "button", class: "retry" }, "Try again");
  const edit = element("button", { type: "button", class: "retry" }, "Edit");
  const fault = element("div", { class: "fault", hidden: "" }, faultText, edit, retry);
  const input = element("textarea", {
    id: "message",
    rows: "1",
    maxlength: String(MAX_CHARS),
    placeholder: "Write a message",
    autocomplete: "off",
  });
  const send = element("button", { type: "submit", class: "send", "aria-label": "Send" }, icon(ARROW));
  const label = element("label", { class: "unseen", for: "message" }, "Your message");
  const form = element("form", {}, label, input, send);
  const heading = element("h2", { id: "title" }, title);
  const panel = element(
    "div",
    {
      id: "panel",
      class: "panel",
      role: "dialog",
      "aria-modal": "true",
      "aria-labelledby": "title",
      hidden: "",
    },
    element("header", {}, heading, close),
    log.node,
    announcer.region,
    fault,
    form,
  );
  const launcher = element("button", { type: "button", class: "launcher", "aria-controls": "panel" });
  const root = element(
    "div",
    { class: "root", "data-theme": theme, "data-position": position },
    panel,
    launcher,
  );
  root.style.setProperty("--accent", accent);
  root.style.setProperty("--accent-fg", readableOn(accent));
  return { root, panel, launcher, close, log, announcer, fault, faultText, retry, edit, form, input, send };
}

/** What is done and shown. */
class View {
  readonly #parts: Parts;
  readonly #conversation: Conversation;
  #isOpen = false;
  #awaited: string | undefined;

  constructor(parts: Parts, conversation: Conversation) {
    this.#parts = parts;
    this.#conversation = conversation;
  }

  start(): void {
    const { panel, launcher, close, retry, edit, form, input } = this.#parts;
    const conversation = this.#conversation;
    launcher.addEventListener("click", () => conversation.keep({ isOpen: !conversation.shown.isOpen }));
    close.addEventListener("click", () => conversation.keep({ isOpen: false }));
    retry.addEventListener("click", () => {
      conversation.retry();
      input.focus();
    });
    edit.addEventListener("click", () => {
      conversation.takeBack();
      input.focus();
    });
    input.addEventListener("input", () => conversation.keep({ draft: input.value }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (conversation.send(input.value)) this.#parts.log.toEnd();
      input.focus();
    });
    panel.addEventListener("keydown", (event) => this.#onKey(event));
    conversation.onChange = () => this.#render();
    this.#render();
  }

  #onKey(event: KeyboardEvent): void {
    // Whoever picks a character from a list presses Enter for that.
    if (event.isComposing) return;
    const { form, input } = this.#parts;
    // The page may have keys of its own.
    event.stopPropagation();
    if (event.key === "Escape") this.#conversation.keep({ isOpen: false });
    else if (event.key === "Tab") this.#keepFocus(event);
    else if (event.key === "Enter" && !event.shiftKey && event.target === input) {
      event.preventDefault();
      form.requestSubmit();
    }
  }

  /** Tab goes around within the dialog. */
  #keepFocus(event: KeyboardEvent): void {
    const { panel } = this.#parts;
    const stops = [...panel.querySelectorAll<HTMLElement>("button, a[href], textarea, [tabindex]")].filter(
      (stop) => stop.checkVisibility(),
    );
    const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
    if (event.target !== from) return;
    event.preventDefault();
    to?.focus();
  }

  #render(): void {
    const { log, fault, faultText, input, send } = this.#parts;
    const { shown, isBusy } = this.#conversation;
    log.render(shown);
    this.#announce(shown.reply);
    const why = shown.fault?.text ?? "";
    fault.hidden = why === "";
    if (faultText.textContent !== why) faultText.textContent = why;
    if (input.value !== shown.draft) input.value = shown.draft;
    send.setAttribute("aria-disabled", String(isBusy));
    this.#show(shown.isOpen);
  }

  #announce(reply: string | undefined): void {
    const { announcer } = this.#parts;
    if (reply === undefined) {
      const last = this.#conversation.shown.messages.findLast(({ role }) => role === "assistant");
      if (this.#awaited !== undefined && !this.#conversation.shown.fault) announcer.finish(last?.text ?? "");
    } else if (this.#awaited === undefined) announcer.begin();
    else announcer.follow(reply);
    this.#awaited = reply;
  }

  #show(isOpen: boolean): void {
    const { root, panel, launcher, log, input } = this.#parts;
    if (isOpen === this.#isOpen && launcher.hasAttribute("aria-expanded")) return;
    const hadFocus = panel.contains(shadowFocus(panel));
    this.#isOpen = isOpen;
    panel.hidden = !isOpen;
    root.toggleAttribute("data-open", isOpen);
    launcher.setAttribute("aria-expanded", String(isOpen));
    launcher.setAttribute("aria-label", isOpen ? "Close chat" : "Open chat");
    launcher.replaceChildren(icon(isOpen ? CROSS : TALK));
    if (isOpen) {
      log.toEnd();
      if (document.hasFocus() && root.isConnected) input.focus();
    } else if (hadFocus) launcher.focus();
  }
}

function shadowFocus(node: Node): Element | null {
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.activeElement : null;
}
