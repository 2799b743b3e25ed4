import type { AgentSettings } from "./template.ts";

/** The rehearsals of each template, with scripted callers, so that they need no key. */

type Scenarios = NonNullable<NonNullable<AgentSettings["rehearsals"]>["scenarios"]>;
type Scenario = Scenarios[number];

const ENDS = { kind: "ends" as const };
const reaches = (node: string) => ({ kind: "reaches" as const, node });
const says = (text: string) => ({ kind: "says" as const, text });
const neverSays = (text: string) => ({ kind: "never_says" as const, text });

/** Scripted answers, keyed by the line they respond to. */
function said(answers: Readonly<Record<string, string>>): NonNullable<Scenario["caller"]["answers"]> {
  return Object.entries(answers).map(([to, say]) => ({ to, say }));
}

const NUMBER = { "which number": "030 123456" };
const IS_CALLED_BACK = [says("calls you back on 030123456"), reaches("callback_done"), ENDS];

/** A caller who asks for a person at once. */
function wantsPerson(question: string): Scenario {
  return {
    name: "gets a person to call back",
    caller: { answers: said({ [question]: "Let me talk to a real person, please", ...NUMBER }) },
    criteria: [...IS_CALLED_BACK, { kind: "within_turns", turns: 2 }],
  };
}

export const RECEPTION_SCENARIOS: Scenarios = [
  {
    name: "hears when it is open",
    caller: { answers: said({ "opening hours": "When are you open?", "a message too": "no thanks" }) },
    criteria: [says("from nine to five"), neverSays("did not get that"), reaches("done"), ENDS],
  },
  {
    name: "leaves a message",
    caller: {
      answers: said({
        "opening hours": "I would like to leave a message",
        "your name": "Ada",
        "your message": "Please call me about my keys",
        ...NUMBER,
      }),
    },
    criteria: [says("What is your message, Ada?"), ...IS_CALLED_BACK],
  },
  wantsPerson("opening hours"),
];

const BOOKS = {
  "what is it for": "A haircut",
  "which day": "tomorrow",
  "in the morning": "in the afternoon",
  "your name": "Ada",
};

export const BOOKING_SCENARIOS: Scenarios = [
  {
    name: "books",
    caller: { answers: said({ ...BOOKS, "is that right": "yes", ...NUMBER }) },
    criteria: [says("we confirm it on 030123456"), neverSays("did not get that"), reaches("done"), ENDS],
  },
  {
    name: "changes their mind",
    // The one question without a scripted answer asks whether everything is right.
    caller: { answers: said({ ...BOOKS, ...NUMBER }), otherwise: ["no", "yes"] },
    criteria: [says("Then once more"), reaches("again"), reaches("done"), ENDS],
  },
  {
    name: "does not know which day",
    caller: { answers: said({ ...BOOKS, "which day": "I could not say", ...NUMBER }) },
    criteria: [says("did not get that"), ...IS_CALLED_BACK],
  },
  wantsPerson("what is it for"),
];

const finds = (result: object, status: "success" | "error" = "success") => [
  { name: "find_order", status, result: result as Record<string, never> },
];
const ASKS = { "number of your order": "one zero zero one", "another order": "no thanks" };

export const ORDER_SCENARIOS: Scenarios = [
  {
    name: "hears where it is",
    caller: { answers: said(ASKS) },
    tools: finds({ orders: [{ number: "1001", status: "shipped" }] }),
    criteria: [
      { kind: "calls_tool", tool: "find_order" },
      says("its status is shipped"),
      reaches("done"),
      ENDS,
    ],
  },
  {
    name: "has a number that is none",
    caller: { answers: said(ASKS) },
    tools: finds({ orders: [] }),
    criteria: [says("found no order with the number 1001"), reaches("unknown"), ENDS],
  },
  {
    name: "is called back when the shop does not answer",
    caller: { answers: said({ ...ASKS, ...NUMBER }) },
    tools: finds({}, "error"),
    criteria: [says("cannot look orders up right now"), ...IS_CALLED_BACK],
  },
  wantsPerson("number of your order"),
];

const LEAD = { "am I speaking": "Ada", "looking for": "Chairs", "e-mail address": "ada at example dot com" };

export const LEAD_SCENARIOS: Scenarios = [
  {
    name: "is a small one",
    caller: { answers: said({ ...LEAD, "how many people": "two" }) },
    criteria: [says("We write to ada@example.com"), reaches("small"), ENDS],
  },
  {
    name: "is a large one, and called back",
    caller: { answers: said({ ...LEAD, "how many people": "twelve", ...NUMBER }) },
    criteria: [reaches("large"), ...IS_CALLED_BACK],
  },
  wantsPerson("am I speaking"),
];

const MINUTE = "have a minute";

export const SURVEY_SCENARIOS: Scenarios = [
  {
    name: "answers all",
    caller: {
      answers: said({
        [MINUTE]: "sure",
        "how satisfied": "four",
        "how likely": "nine",
        "do better": "Answer sooner",
      }),
    },
    criteria: [says("Thank you for your answers"), neverSays("did not get that"), ENDS],
  },
  {
    name: "has no time",
    caller: { answers: said({ [MINUTE]: "no" }) },
    criteria: [reaches("later"), ENDS, { kind: "within_turns", turns: 1 }],
  },
  {
    name: "is the wrong number",
    caller: { answers: said({ [MINUTE]: "You have the wrong number" }) },
    criteria: [reaches("later"), ENDS],
  },
];

export const AFTER_HOURS_SCENARIOS: Scenarios = [
  {
    name: "is urgent",
    caller: { answers: said({ "is it urgent": "yes", ...NUMBER }) },
    criteria: [reaches("hurry"), ...IS_CALLED_BACK, { kind: "within_turns", turns: 2 }],
  },
  {
    name: "leaves a message",
    caller: {
      answers: said({
        "is it urgent": "no",
        "your name": "Ada",
        "your message": "I will come on Monday",
        ...NUMBER,
      }),
    },
    criteria: [reaches("about"), ...IS_CALLED_BACK],
  },
  wantsPerson("is it urgent"),
];

const DESK = { "your name": "Ada" };

export const DESK_SCENARIOS: Scenarios = [
  {
    name: "is passed on for an appointment, and not asked for the name again",
    caller: {
      answers: said({
        ...DESK,
        "an appointment or": "To book, please",
        ...BOOKS,
        "is that right": "yes",
        ...NUMBER,
      }),
    },
    criteria: [reaches("to_booking"), says("So Ada, "), reaches("done"), ENDS],
  },
  {
    name: "is passed on for an order",
    caller: { answers: said({ ...DESK, "an appointment or": "My parcel", ...ASKS }) },
    tools: finds({ orders: [{ number: "1001", status: "shipped" }] }),
    criteria: [
      reaches("to_orders"),
      { kind: "calls_tool", tool: "find_order" },
      says("its status is shipped"),
      ENDS,
    ],
  },
];
