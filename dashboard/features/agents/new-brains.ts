/** A model brain without a prompt yet. */
export const NEW_MODEL = {
  kind: "model",
  model: "gpt-4o-mini",
  prompt: "",
  tools: [],
} as const;

/** A flow that greets, listens once and says goodbye. */
export const NEW_FLOW = {
  start: "greeting",
  nodes: [
    { id: "greeting", type: "say", text: "Hello, how can I help you?" },
    { id: "listen", type: "wait" },
    { id: "goodbye", type: "end", text: "Thank you for your call. Goodbye." },
  ],
  edges: [
    { from: "greeting", to: "listen" },
    { from: "listen", to: "goodbye" },
  ],
} as const;
