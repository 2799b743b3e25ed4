import { ORDER_SCENARIOS } from "./scenarios.ts";
import {
  A_PERSON,
  type AgentTemplate,
  CALLBACK_EDGES,
  CALLBACK_NODES,
  type FlowInput,
  inOrder,
  orCallback,
} from "./template.ts";

/** Looks an order up by its number and says where it is. */
export const ORDER_FLOW: FlowInput = {
  start: "number",
  nodes: [
    {
      id: "number",
      type: "collect",
      text: "What is the number of your order? You can say it or type it.",
      save: "order_number",
      minDigits: 3,
      maxDigits: 12,
    },
    {
      id: "look",
      type: "tool",
      tool: "find_order",
      arguments: { orderNumber: "{order_number}" },
      saying: "One moment, I look it up.",
      save: [
        { variable: "order_status", path: "orders.0.status" },
        { variable: "order_found", path: "orders.0.number" },
      ],
    },
    { id: "found", type: "condition" },
    { id: "tell", type: "say", text: "Order {order_number}: its status is {order_status}." },
    { id: "unknown", type: "say", text: "I found no order with the number {order_number}." },
    { id: "failed", type: "say", text: "I cannot look orders up right now." },
    {
      id: "more",
      type: "ask",
      text: "Shall I look another order up?",
      save: "wants_more",
      answer: { type: "yes_no" },
    },
    { id: "decide", type: "condition" },
    { id: "done", type: "end", text: "Thank you for your call. Goodbye." },
    ...CALLBACK_NODES,
  ],
  edges: [
    { from: "look", on: "failed", to: "failed" },
    { from: "found", to: "tell", when: { tests: [{ variable: "order_found", is: "exists" }] } },
    { from: "unknown", to: "more" },
    { from: "failed", to: "callback" },
    {
      from: "decide",
      to: "number",
      when: { tests: [{ variable: "wants_more", is: "equals", value: "yes" }] },
    },
    { from: "more", on: "no_answer", to: "done" },
    ...inOrder("number", "look", "found", "unknown"),
    ...inOrder("tell", "more", "decide", "done"),
    ...orCallback("number"),
    ...CALLBACK_EDGES,
  ],
  exits: [A_PERSON],
};

export const ORDER_TOOLS = [
  {
    kind: "connector" as const,
    name: "find_order",
    capability: "order.lookup",
    description: "Looks an order up.",
  },
];

export const ORDER_STATUS: AgentTemplate = {
  id: "order-status",
  name: "Order status",
  description: "Looks orders up in the connected shop by their number and says where they are.",
  kind: "flow",
  requires: ["order.lookup"],
  settings: {
    name: "Order status",
    brain: { kind: "flow", flow: ORDER_FLOW, tools: ORDER_TOOLS },
    rehearsals: { scenarios: ORDER_SCENARIOS },
  },
};
