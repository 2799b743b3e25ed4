import { LEAD_SCENARIOS, SURVEY_SCENARIOS } from "./scenarios.ts";
import {
  A_PERSON,
  type AgentTemplate,
  CALLBACK_EDGES,
  CALLBACK_NODES,
  type FlowInput,
  inOrder,
  orCallback,
} from "./template.ts";

const SURVEY_FLOW: FlowInput = {
  start: "hello",
  nodes: [
    { id: "hello", type: "say", text: "Hello. We have three short questions about your last visit." },
    {
      id: "may_ask",
      type: "ask",
      text: "Do you have a minute?",
      save: "has_time",
      answer: { type: "yes_no" },
    },
    { id: "decide", type: "condition" },
    {
      id: "rating",
      type: "ask",
      text: "From one to five, how satisfied were you?",
      save: "rating",
      answer: { type: "number", min: 1, max: 5, whole: true },
    },
    {
      id: "recommend",
      type: "ask",
      text: "From zero to ten, how likely are you to recommend us?",
      save: "recommend",
      answer: { type: "number", min: 0, max: 10, whole: true },
    },
    {
      id: "comment",
      type: "ask",
      text: "What could we do better?",
      save: "comment",
      answer: { type: "text", maxChars: 4_000 },
    },
    { id: "thanks", type: "end", text: "Thank you for your answers. Goodbye." },
    { id: "later", type: "end", text: "No problem. Have a good day." },
  ],
  edges: [
    { from: "decide", to: "later", when: { tests: [{ variable: "has_time", is: "equals", value: "no" }] } },
    { from: "may_ask", on: "no_answer", to: "later" },
    { from: "rating", on: "no_answer", to: "comment" },
    { from: "recommend", on: "no_answer", to: "comment" },
    { from: "comment", on: "no_answer", to: "thanks" },
    ...inOrder("hello", "may_ask", "decide", "rating", "recommend", "comment", "thanks"),
  ],
  exits: [
    {
      name: "Wrong number",
      phrases: ["wrong number", "do not call", "don't call", "falsch verbunden"],
      to: "later",
    },
  ],
};

export const SURVEY: AgentTemplate = {
  id: "survey",
  name: "Survey",
  description: "Calls people with three questions: satisfaction, recommendation, and what could be better.",
  kind: "flow",
  requires: [],
  settings: {
    name: "Survey",
    brain: { kind: "flow", flow: SURVEY_FLOW },
    rehearsals: { scenarios: SURVEY_SCENARIOS },
  },
};

const LEAD_FLOW: FlowInput = {
  start: "hello",
  nodes: [
    { id: "hello", type: "say", text: "Hello, thank you for your interest." },
    {
      id: "who",
      type: "ask",
      text: "With whom am I speaking?",
      save: "caller_name",
      answer: { type: "text", maxChars: 200 },
    },
    {
      id: "need",
      type: "ask",
      text: "What are you looking for, {caller_name}?",
      save: "need",
      answer: { type: "text", maxChars: 4_000 },
    },
    {
      id: "people",
      type: "ask",
      text: "For how many people?",
      save: "people",
      answer: { type: "number", min: 1, whole: true },
    },
    {
      id: "email",
      type: "ask",
      text: "To which e-mail address can we write?",
      save: "email",
      answer: { type: "email" },
    },
    { id: "size", type: "condition" },
    { id: "large", type: "set", values: [{ variable: "lead", value: "qualified" }] },
    { id: "small", type: "set", values: [{ variable: "lead", value: "self service" }] },
    { id: "bye", type: "end", text: "Thank you, {caller_name}. We write to {email}. Goodbye." },
    ...CALLBACK_NODES,
  ],
  edges: [
    { from: "size", to: "large", when: { tests: [{ variable: "people", is: "at_least", value: "10" }] } },
    { from: "small", to: "bye" },
    { from: "large", to: "callback" },
    ...inOrder("hello", "who", "need", "people", "email", "size", "small"),
    ...orCallback("who", "need", "people", "email"),
    ...CALLBACK_EDGES,
  ],
  exits: [A_PERSON],
};

export const LEAD_QUALIFICATION: AgentTemplate = {
  id: "lead-qualification",
  name: "Lead qualification",
  description:
    "Asks who calls, what they need, for how many people and where to write; large ones are called back.",
  kind: "flow",
  requires: [],
  settings: {
    name: "Lead qualification",
    brain: { kind: "flow", flow: LEAD_FLOW },
    rehearsals: { scenarios: LEAD_SCENARIOS },
  },
};
