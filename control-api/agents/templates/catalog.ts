import { APPOINTMENT, BOOKING_FLOW } from "./booking.ts";
import { ORDER_FLOW, ORDER_STATUS, ORDER_TOOLS } from "./orders.ts";
import { LEAD_QUALIFICATION, SURVEY } from "./outbound.ts";
import { AFTER_HOURS, RECEPTIONIST } from "./reception.ts";
import { BOOKING_SCENARIOS, DESK_SCENARIOS, ORDER_SCENARIOS } from "./scenarios.ts";
import {
  A_PERSON,
  type AgentTemplate,
  CALLBACK_EDGES,
  CALLBACK_NODES,
  type FlowInput,
  inOrder,
  orCallback,
  type TeamTemplate,
} from "./template.ts";

const ASSISTANT: AgentTemplate = {
  id: "assistant",
  name: "Assistant with a prompt",
  description: "A model that answers by a prompt of yours. It needs a model’s key.",
  kind: "single",
  requires: [],
  settings: {
    name: "Assistant",
    firstResponse: "Hello, how can I help you?",
    brain: {
      kind: "model",
      model: "gpt-4o-mini",
      prompt:
        "You answer the telephone of a small company. Answer in one or two short sentences, as people talk. Say so when you do not know something.",
      tools: [{ kind: "end_call" }],
    },
  },
};

/** Every agent template. */
export const AGENT_TEMPLATES: readonly AgentTemplate[] = [
  RECEPTIONIST,
  APPOINTMENT,
  ORDER_STATUS,
  LEAD_QUALIFICATION,
  SURVEY,
  AFTER_HOURS,
  ASSISTANT,
];

/** Finds out what the caller wants and hands them to the agent for it. */
function deskFlow({ booking = "", orders = "" }: Readonly<Record<string, string>>): FlowInput {
  const variables = ["caller_name"];
  const passed = { type: "hand_off" as const, text: "I pass you on.", variables };
  return {
    start: "hello",
    nodes: [
      { id: "hello", type: "say", text: "Hello, thank you for your call." },
      {
        id: "who",
        type: "ask",
        text: "May I have your name?",
        save: "caller_name",
        answer: { type: "text", maxChars: 200 },
      },
      {
        id: "topic",
        type: "ask",
        text: "Is it about an appointment or an order, {caller_name}?",
        save: "topic",
        answer: {
          type: "choice",
          options: [
            { value: "appointment", synonyms: ["book", "booking", "table", "visit"] },
            { value: "order", synonyms: ["parcel", "package", "delivery"] },
          ],
        },
      },
      { id: "decide", type: "condition" },
      { id: "to_booking", ...passed, agentId: booking, summary: "{caller_name} wants an appointment." },
      { id: "to_orders", ...passed, agentId: orders, summary: "{caller_name} asks about an order." },
      ...CALLBACK_NODES,
    ],
    edges: [
      {
        from: "decide",
        to: "to_orders",
        when: { tests: [{ variable: "topic", is: "equals", value: "order" }] },
      },
      { from: "to_booking", on: "failed", to: "callback" },
      { from: "to_orders", on: "failed", to: "callback" },
      ...inOrder("hello", "who", "topic", "decide", "to_booking"),
      ...orCallback("who", "topic"),
      ...CALLBACK_EDGES,
    ],
    exits: [A_PERSON],
  };
}

/** Every team template. */
export const TEAM_TEMPLATES: readonly TeamTemplate[] = [
  {
    id: "front-desk",
    name: "Front desk",
    description:
      "Answers, and hands callers to an agent for appointments or one for orders, who know their name.",
    requires: ["order.lookup"],
    agents: [
      {
        ref: "booking",
        name: "Front desk: appointments",
        kind: "flow",
        settings: () => ({
          name: "Front desk: appointments",
          brain: { kind: "flow", flow: BOOKING_FLOW },
          rehearsals: { scenarios: BOOKING_SCENARIOS },
        }),
      },
      {
        ref: "orders",
        name: "Front desk: orders",
        kind: "flow",
        settings: () => ({
          name: "Front desk: orders",
          brain: { kind: "flow", flow: ORDER_FLOW, tools: ORDER_TOOLS },
          rehearsals: { scenarios: ORDER_SCENARIOS },
        }),
      },
      {
        ref: "desk",
        name: "Front desk",
        kind: "flow",
        settings: (made) => ({
          name: "Front desk",
          brain: { kind: "flow", flow: deskFlow(made) },
          rehearsals: { scenarios: DESK_SCENARIOS },
        }),
      },
    ],
  },
];
