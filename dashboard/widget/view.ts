import type { Conversation, Shown } from "./conversation.ts";
import { element, icon } from "./element.ts";
import { buildParts, CROSS, type Parts, TALK } from "./parts.ts";
import type { WidgetSettings } from "./settings.ts";
import css from "./widget.css?inline";

const HOST = { all: "initial", display: "block", position: "fixed", "z-index": "2147483000" };

/** Mounts the widget in a shadow root, which isolates its styles from the page's. */
export function mount(settings: WidgetSettings, conversation: Conversation): void {
  const host = element("div");
  host.dataset.parleyChat = settings.agentId;
  // Overrides every rule of the page, `!important` ones included.
  for (const [name, value] of Object.entries(HOST)) host.style.setProperty(name, value, "important");
  const shadow = host.attachShadow({ mode: "open" });
  // Unlike a style element, this needs no permission from the page's content security policy.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  shadow.adoptedStyleSheets = [sheet];
  const parts = buildParts(settings);
  shadow.append(parts.root);
  new View(parts, conversation).start();
  document.body.append(host);
}

/** Connects the widget's elements to the conversation. */
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
    launcher.addEventListener("click", () => conversation.show(!conversation.shown.isOpen));
    close.addEventListener("click", () => conversation.show(false));
    retry.addEventListener("click", () => {
      conversation.retry();
      input.focus();
    });
    edit.addEventListener("click", () => {
      conversation.takeBack();
      input.focus();
    });
    input.addEventListener("input", () => conversation.keep(input.value));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (conversation.send(input.value)) this.#parts.log.toEnd();
      input.focus();
    });
    panel.addEventListener("keydown", (event) => this.#onKey(event));
    this.#offerNew();
    conversation.onChange = () => this.#render();
    this.#render();
  }

  /** Abandoning is irreversible, so it takes two presses. */
  #offerNew(): void {
    const { anew, yes, no, input, announcer, words } = this.#parts;
    anew.addEventListener("click", () => this.#ask(true));
    no.addEventListener("click", () => this.#ask(false));
    yes.addEventListener("click", () => {
      this.#conversation.leave();
      this.#ask(false);
      input.focus();
      announcer.say(words.begun);
    });
  }

  #ask(isAsked: boolean): void {
    const { ask, anew, no } = this.#parts;
    ask.hidden = !isAsked;
    if (isAsked) no.focus();
    else anew.focus();
  }

  #onKey(event: KeyboardEvent): void {
    // Enter may be picking a character in an input method.
    if (event.isComposing) return;
    const { form, input } = this.#parts;
    // The page may have its own key handlers.
    event.stopPropagation();
    if (event.key === "Escape" && !this.#parts.ask.hidden) this.#ask(false);
    else if (event.key === "Escape") this.#conversation.show(false);
    else if (event.key === "Tab") this.#keepFocus(event);
    else if (event.key === "Enter" && !event.shiftKey && event.target === input) {
      event.preventDefault();
      form.requestSubmit();
    }
  }

  /** Keeps Tab within the dialog. */
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
    const { log, fault, faultText, input, send, anew, ask } = this.#parts;
    const { shown, isBusy } = this.#conversation;
    log.render(shown);
    this.#announce(shown.reply);
    const why = shown.fault?.text ?? "";
    fault.hidden = why === "";
    if (faultText.textContent !== why) faultText.textContent = why;
    if (input.value !== shown.draft) input.value = shown.draft;
    send.setAttribute("aria-disabled", String(isBusy));
    anew.hidden = shown.messages.length === 0;
    if (anew.hidden) ask.hidden = true;
    this.#show(shown.isOpen);
    this.#tellNews(shown);
  }

  /** Announces a reply that arrived while the chat was closed. */
  #tellNews({ isOpen, isUnread }: Pick<Shown, "isOpen" | "isUnread">): void {
    const { launcher, news, words } = this.#parts;
    const text = isUnread ? words.unread : "";
    if (news.textContent !== text) news.textContent = text;
    launcher.toggleAttribute("data-unread", isUnread);
    const name = isOpen ? words.close : words.open;
    launcher.setAttribute("aria-label", isUnread ? `${name}, ${words.unread}` : name);
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
