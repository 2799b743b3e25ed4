import { Announcer } from "./announcer.ts";
import { element, icon } from "./element.ts";
import { MessageLog } from "./message-log.ts";
import { readableOn, type WidgetSettings } from "./settings.ts";
import type { Words } from "./words.ts";

export const TALK = "M21 12a8 8 0 0 1-8 8H4l2-3.5A8 8 0 1 1 21 12Z";
export const CROSS = "M6 6l12 12M18 6L6 18";
const ARROW = "M5 12h14M13 6l6 6-6 6";
const ANEW = "M12 5H5v14h14v-7M18.5 3.5a2 2 0 0 1 2.5 2.5L12 15l-3.5.5.5-3.5Z";
const MAX_CHARS = 16_000;

export type Parts = ReturnType<typeof buildParts>;

/** Builds all elements in their initial state, before a conversation. */
export function buildParts({ lang, words, greeting, theme, position, accent }: WidgetSettings) {
  const log = new MessageLog(words, greeting);
  const announcer = new Announcer(words.writing);
  const header = buildHeader(words);
  const asking = buildAsking(words);
  const faults = buildFault(words);
  const writing = buildForm(words);
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
    header.header,
    log.node,
    announcer.region,
    faults.fault,
    asking.ask,
    writing.form,
  );
  const launcher = element("button", { type: "button", class: "launcher", "aria-controls": "panel" });
  /** Outside the panel: hidden content is not announced. */
  const news = element("div", { class: "unseen", role: "status" });
  const look = { class: "root", lang, "data-theme": theme, "data-position": position };
  const root = element("div", look, panel, launcher, news);
  root.style.setProperty("--accent", accent);
  root.style.setProperty("--accent-fg", readableOn(accent));
  return { root, panel, launcher, news, log, announcer, words, ...header, ...asking, ...faults, ...writing };
}

function buildHeader(words: Words) {
  const heading = element("h2", { id: "title" }, words.title);
  const anew = iconButton("head", words.newChat, ANEW);
  const close = iconButton("head", words.close, CROSS);
  return { header: element("header", {}, heading, anew, close), anew, close };
}

/** Asks whether to abandon the conversation. */
function buildAsking(words: Words) {
  const question = element("span", { id: "ask" }, words.askNew);
  const no = textButton(words.no);
  const yes = textButton(words.yes);
  const look = { class: "strip", role: "group", "aria-labelledby": "ask", hidden: "" };
  return { ask: element("div", look, question, no, yes), no, yes };
}

function buildFault(words: Words) {
  const faultText = element("span", { role: "alert" });
  const retry = textButton(words.retry);
  const edit = textButton(words.edit);
  const fault = element("div", { class: "strip fault", hidden: "" }, faultText, edit, retry);
  return { fault, faultText, retry, edit };
}

function buildForm(words: Words) {
  const input = element("textarea", {
    id: "message",
    rows: "1",
    maxlength: String(MAX_CHARS),
    placeholder: words.placeholder,
    autocomplete: "off",
  });
  const send = iconButton("send", words.send, ARROW);
  send.type = "submit";
  const label = element("label", { class: "unseen", for: "message" }, words.message);
  return { form: element("form", {}, label, input, send), input, send };
}

function iconButton(kind: string, name: string, path: string): HTMLButtonElement {
  return element("button", { type: "button", class: kind, "aria-label": name, title: name }, icon(path));
}

function textButton(text: string): HTMLButtonElement {
  return element("button", { type: "button", class: "retry" }, text);
}
