import type { Shown } from "./conversation.ts";
import { element } from "./element.ts";
import { toNodes } from "./links.ts";
import type { Message } from "./memory.ts";
import type { Words } from "./words.ts";

/** Within this distance of the end, in pixels, the log follows additions. */
const NEAR_PX = 80;

/** The displayed messages; existing ones are left untouched. */
export class MessageLog {
  readonly node: HTMLElement;
  readonly #words: Words;
  readonly #shown = new Map<string, HTMLElement>();
  readonly #reply = element("div", { class: "message assistant writing" });

  constructor(words: Words, greeting: string | undefined) {
    this.#words = words;
    this.node = element("div", {
      class: "log",
      role: "log",
      "aria-live": "off",
      "aria-label": words.conversation,
      tabindex: "0",
    });
    if (greeting !== undefined) this.node.append(this.#bubble("assistant", greeting));
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
      const made = known ?? this.#bubble(message.role, message.text);
      if (!known) {
        this.#shown.set(message.id, made);
        if (before) before.after(made);
        else node.append(made);
      }
      before = made;
    }
    if (reply === undefined) this.#reply.remove();
    else {
      this.#reply.replaceChildren(this.#speaker("assistant"), ...toNodes(reply));
      if (node.lastChild !== this.#reply) node.append(this.#reply);
    }
    if (isNearEnd) this.toEnd();
  }

  toEnd(): void {
    this.node.scrollTop = this.node.scrollHeight;
  }

  #bubble(role: Message["role"], text: string): HTMLElement {
    const kind = role === "notice" ? "notice" : `message ${role}`;
    return element("div", { class: kind }, this.#speaker(role), ...toNodes(text));
  }

  #speaker(role: Message["role"]): HTMLElement {
    const { you, answer } = this.#words;
    const name = { user: `${you}: `, assistant: `${answer}: `, notice: "" }[role];
    return element("span", { class: "unseen" }, name);
  }
}
