import { element } from "./element.ts";

const SENTENCE = /[^.!?\n]*[.!?\n]+(\s|$)/g;

/** Announces a reply to screen readers sentence by sentence: token by token would stammer. */
export class Announcer {
  readonly #writing: string;
  readonly region = element("div", { class: "unseen", role: "status", "aria-live": "polite" });
  #said = 0;

  /** `writing` is the text that says an answer is on its way. */
  constructor(writing: string) {
    this.#writing = writing;
  }

  say(text: string): void {
    this.region.replaceChildren(element("p", {}, text));
  }

  /** Takes the reply so far; announces each finished sentence once. */
  follow(reply: string): void {
    if (reply.length < this.#said) this.#said = 0;
    const finished = reply.slice(this.#said).match(SENTENCE)?.join("") ?? "";
    // The last sentence may go on: a dot can be part of an address or a number.
    if (finished === "" || this.#said + finished.length === reply.length) return;
    this.#said += finished.length;
    this.region.append(element("p", {}, finished.trim()));
  }

  /** Announces the rest of the finished reply. */
  finish(reply: string): void {
    const rest = reply.slice(this.#said).trim();
    this.#said = 0;
    if (rest !== "") this.region.append(element("p", {}, rest));
  }

  begin(): void {
    this.#said = 0;
    this.say(this.#writing);
  }
}
