import { AFTER_HOURS_SCENARIOS, RECEPTION_SCENARIOS } from "./scenarios.ts";
import {
  A_PERSON,
  type AgentTemplate,
  CALLBACK_EDGES,
  CALLBACK_NODES,
  type FlowInput,
  inOrder,
  orCallback,
} from "./template.ts";

const MESSAGE: FlowInput["nodes"] = [
  {
    id: "who",
    type: "ask",
    text: "May I have your name?",
    save: "caller_name",
    answer: { type: "text", maxChars: 200 },
  },
  {
    id: "about",
    type: "ask",
    text: "What is your message, {caller_name}?",
    save: "message",
    answer: { type: "text", maxChars: 4_000 },
  },
];

const RECEPTION_FLOW: FlowInput = {
  start: "hello",
  nodes: [
    { id: "hello", type: "say", text: "Hello, thank you for your call." },
    {
      id: "topic",
      type: "ask",
      text: "Do you want our opening hours, or to leave a message?",
      save: "topic",
      answer: {
        type: "choice",
        options: [
          { value: "hours", synonyms: ["open", "opening hours", "when"] },
          { value: "message", synonyms: ["leave", "call me back", "tell"] },
        ],
      },
    },
    { id: "decide", type: "condition" },
    { id: "hours", type: "say", text: "We are open from nine to five, Monday to Friday." },
    {
      id: "more",
      type: "ask",
      text: "Would you like to leave a message, too?",
      save: "wants_message",
      answer: { type: "yes_no" },
    },
    { id: "leave", type: "condition" },
    ...MESSAGE,
    { id: "done", type: "end", text: "Thank you for your call. Goodbye." },
    ...CALLBACK_NODES,
  ],
  edges: [
    { from: "decide", to: "hours", when: { tests: [{ variable: "topic", is: "equals", value: "hours" }] } },
    {
      from: "leave",
      to: "who",
      when: { tests: [{ variable: "wants_message", is: "equals", value: "yes" }] },
    },
    { from: "leave", to: "done" },
    { from: "more", on: "no_answer", to: "done" },
    ...inOrder("hello", "topic", "decide", "who"),
    ...inOrder("hours", "more", "leave"),
    ...inOrder("who", "about", "callback"),
    ...orCallback("topic", "who", "about"),
    ...CALLBACK_EDGES,
  ],
  exits: [A_PERSON],
};

export const RECEPTIONIST: AgentTemplate = {
  id: "receptionist",
  name: "Receptionist",
  description: "Tells opening hours and takes messages with name and number.",
  kind: "flow",
  requires: [],
  settings: {
    name: "Receptionist",
    brain: { kind: "flow", flow: RECEPTION_FLOW },
    rehearsals: { scenarios: RECEPTION_SCENARIOS },
  },
};

const AFTER_HOURS_FLOW: FlowInput = {
  start: "closed",
  nodes: [
    { id: "closed", type: "say", text: "Hello. We are closed right now." },
    { id: "urgent", type: "ask", text: "Is it urgent?", save: "is_urgent", answer: { type: "yes_no" } },
    { id: "decide", type: "condition" },
    { id: "hurry", type: "set", values: [{ variable: "message", value: "urgent" }] },
    ...MESSAGE,
    ...CALLBACK_NODES,
  ],
  edges: [
    { from: "decide", to: "hurry", when: { tests: [{ variable: "is_urgent", is: "equals", value: "yes" }] } },
    { from: "hurry", to: "callback" },
    ...inOrder("closed", "urgent", "decide", "who", "about", "callback"),
    ...orCallback("urgent", "who", "about"),
    ...CALLBACK_EDGES,
  ],
  exits: [A_PERSON],
};

export const AFTER_HOURS: AgentTemplate = {
  id: "after-hours",
  name: "After hours",
  description: "Answers when you are closed: asks whether it is urgent, takes a message and a number.",
  kind: "flow",
  requires: [],
  settings: {
    name: "After hours",
    brain: { kind: "flow", flow: AFTER_HOURS_FLOW },
    rehearsals: { scenarios: AFTER_HOURS_SCENARIOS },
  },
};
