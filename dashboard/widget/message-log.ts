import type { Shown } from "./conversation.ts";
import { element } from "./element.ts";
import { toNodes } from "./links.ts";

const SPEAKERS = { user: "You: ", assistant: "Answer: ", notice: "" };
/** Nearer to the end than this, in pixels, the log follows what is added. */
const NEAR_PX = 80;

/** What was said, as it is shown; what is there already is left alone. */
export class MessageLog {
  readonly node = element("div", {
    class: "log",
    role: "log",
    "aria-live": "off",
    "aria-label": "Conversation",
    tabindex: "0",
  });
  readonly #shown = new Map<string, HTMLElement>();
  readonly #reply = element("div", { class: "message assistant writing" });

  constructor(greeting: string | undefined) {
    if (greeting !== undefined) this.node.append(bubble("assistant", greeting));
  }

  render({ messages, reply }: Pick<Shown, "messages" | "reply">): void {
    const { node } = this;
    const isNearEnd = node.scrollHeight - node.scrollTop - node.clientHeight < NEAR_PX;
    for (const [id, shown] of this.#shown) {
      if (messages.some((message) => message.id === id)) continue;
      shown.remove();
      this.#shown.delete(id);
    }
    let before: HTMLElement | undefined;
    for (const message of messages) {
      const known = this.#shown.get(message.id);
      const made = known ?? bubble(message.role, message.text);
      if (!known) {
        this.#shown.set(message.id, made);
        if (before) before.after(made);
        else node.append(made);
      }
      before = made;
    }
    if (reply === undefined) this.#reply.remove();
    else {
      this.#reply.replaceChildren(speaker("assistant"), ...toNodes(reply));
      if (node.lastChild !== this.#reply) node.append(this.#reply);
    }
    if (isNearEnd) this.toEnd();
  }

  toEnd(): void {
    this.node.scrollTop = this.node.scrollHeight;
  }
}

function bubble(role: keyof typeof SPEAKERS, text: string): HTMLElement {
  const kind = role === "notice" ? "notice" : `message ${role}`;
  return element("div", { class: kind }, speaker(role), ...toNodes(text));
}

function speaker(role: keyof typeof SPEAKERS): HTMLElement {
  return element("span", { class: "unseen" }, SPEAKERS[role]);
}
