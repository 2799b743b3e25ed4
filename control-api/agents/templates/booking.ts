import { BOOKING_SCENARIOS } from "./scenarios.ts";
import {
  A_PERSON,
  type AgentTemplate,
  CALLBACK_EDGES,
  CALLBACK_NODES,
  type FlowInput,
  inOrder,
  orCallback,
} from "./template.ts";

/** Asks for service, day, time and name, then reads them back. */
export const BOOKING_FLOW: FlowInput = {
  start: "hello",
  nodes: [
    { id: "hello", type: "say", text: "You can make an appointment with me." },
    {
      id: "service",
      type: "ask",
      text: "What is it for?",
      save: "service",
      answer: { type: "text" },
      skipIfKnown: true,
    },
    {
      id: "day",
      type: "ask",
      text: "Which day suits you?",
      save: "day",
      answer: { type: "date", future: true },
    },
    {
      id: "time",
      type: "ask",
      text: "In the morning, at noon or in the afternoon?",
      save: "time",
      answer: {
        type: "choice",
        options: [
          { value: "morning", synonyms: ["early"] },
          { value: "noon", synonyms: ["midday", "lunch"] },
          { value: "afternoon", synonyms: ["late", "evening"] },
        ],
      },
    },
    {
      id: "who",
      type: "ask",
      text: "And your name, please?",
      save: "caller_name",
      answer: { type: "text", maxChars: 200 },
      skipIfKnown: true,
    },
    {
      id: "check",
      type: "ask",
      text: "So {caller_name}, {day}, {time}, for {service}. Is that right?",
      save: "is_right",
      answer: { type: "yes_no" },
    },
    { id: "decide", type: "condition" },
    { id: "again", type: "say", text: "Then once more." },
    {
      id: "number",
      type: "ask",
      text: "On which number can we confirm it?",
      save: "callback_number",
      answer: { type: "phone" },
    },
    {
      id: "done",
      type: "end",
      text: "Thank you, {caller_name}. We confirm it on {callback_number}. Goodbye.",
    },
    ...CALLBACK_NODES,
  ],
  edges: [
    { from: "decide", to: "again", when: { tests: [{ variable: "is_right", is: "equals", value: "no" }] } },
    { from: "again", to: "day" },
    ...inOrder("hello", "service", "day", "time", "who", "check", "decide", "number", "done"),
    ...orCallback("service", "day", "time", "who", "check", "number"),
    ...CALLBACK_EDGES,
  ],
  exits: [A_PERSON],
};

export const APPOINTMENT: AgentTemplate = {
  id: "appointment",
  name: "Appointments",
  description: "Asks what an appointment is for, for day, time, name and number, and reads it all back.",
  kind: "flow",
  requires: [],
  settings: {
    name: "Appointments",
    brain: { kind: "flow", flow: BOOKING_FLOW },
    rehearsals: { scenarios: BOOKING_SCENARIOS },
  },
};
