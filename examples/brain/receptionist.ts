/** One piece of an answer: words to speak, or a control event for the gateway. */
export type Piece = string | Record<string, unknown>;

/** What the receptionist remembers of a caller. */
export interface Memory {
  /** What it is waiting to be told. */
  asked: "party" | "time" | "phone" | "order" | undefined;
  party: string;
  time: string;
}

export interface Turn {
  readonly query: string;
  /** What the caller heard of an answer that was talked over. */
  readonly heard: { readonly text: string } | undefined;
  /** What came of the tools that the answer to this turn asked for, when it is asked for once more. */
  readonly toolResults?: readonly ToolResult[] | undefined;
  readonly memory: Memory;
  readonly now: Date;
}

export interface ToolResult {
  readonly status: string;
  readonly arguments: { readonly orderNumber?: string };
  readonly result: { readonly orders?: readonly Order[] };
}

interface Order {
  readonly number: string;
  readonly status: string;
  readonly items: readonly { readonly name: string; readonly quantity: number }[];
  readonly tracking: readonly { readonly company: string | null; readonly number: string | null }[];
}

const NUMBERS =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty";
const PARTY = new RegExp(`\\b(${NUMBERS.split(" ").slice(0, 12).join("|")}|\\d{1,2})\\b`, "i");

export function newMemory(): Memory {
  return { asked: undefined, party: "", time: "" };
}

/** A small receptionist by rules: enough to try every manner of the gateway, no model needed. */
export function reply({ query, heard, toolResults, memory, now }: Turn): Piece[] {
  const [found] = toolResults ?? [];
  if (found) return [told(found)];
  const said = query.toLowerCase();
  const opening = heard && heard.text !== "" ? ["Sorry, I'll stop there. "] : [];
  if (/\b(bye|goodbye|hang up|that is all|that's all)\b/.test(said)) {
    return [{ event: "call_end", farewell: "Thank you for calling. Goodbye!" }];
  }
  return [...opening, ...(followUp(query, memory) ?? topic(said, memory, now) ?? echo(query))];
}

function followUp(query: string, memory: Memory): Piece[] | undefined {
  if (memory.asked === "party" && PARTY.test(query)) {
    memory.party = PARTY.exec(query)?.[0] ?? "two";
    memory.asked = "time";
    return [`A table for ${memory.party}. `, "For which day and time?"];
  }
  if (memory.asked === "time" && query.trim() !== "") {
    memory.time = query.replace(/[.?!]+$/, "");
    memory.asked = "phone";
    return [
      `${capitalized(memory.time)}, very well. `,
      "May I have your phone number?",
      { event: "listen", expect: "digits", endpointingMs: 2500 },
    ];
  }
  if (memory.asked === "phone") {
    memory.asked = undefined;
    return booked(query, memory);
  }
  if (memory.asked === "order") {
    memory.asked = undefined;
    const [number] = /\d{3,}/.exec(query) ?? [];
    return number === undefined ? undefined : lookedUp(number);
  }
  return undefined;
}

/** The agent's tool does it in the shop that is connected; what came of it arrives with the next request. */
function lookedUp(orderNumber: string): Piece[] {
  return [
    "Let me look. ",
    { event: "tool_call", id: "order", name: "find_order", arguments: { orderNumber } },
  ];
}

function told({ status, arguments: { orderNumber = "" }, result }: ToolResult): string {
  if (status !== "success") return "I am sorry, I cannot reach the shop at the moment.";
  const [order] = result.orders ?? [];
  if (!order) return `I am sorry, there is no order ${orderNumber}.`;
  const items = order.items.map(({ name, quantity }) => (quantity > 1 ? `${quantity} times ${name}` : name));
  const [parcel] = order.tracking;
  const where = parcel?.number ? ` The parcel is with ${parcel.company}, number ${parcel.number}.` : "";
  return `Your order ${order.number} is ${order.status}: ${items.join(", and ")}.${where}`;
}

function booked(phone: string, { party, time }: Memory): Piece[] {
  const digits = phone.replace(/\D/g, "");
  return [
    {
      event: "tool",
      name: "book_table",
      arguments: { party, time, phone: digits },
      result: { booked: true },
      status: "success",
      latencyMs: 3,
    },
    `Your table for ${party}, ${time}, is booked. `,
    "Is there anything else I can do for you?",
  ];
}

function topic(said: string, memory: Memory, now: Date): Piece[] | undefined {
  if (/\b(book|table|reserv)/.test(said)) {
    memory.asked = "party";
    return [{ event: "node_entered", node: "booking" }, "With pleasure. ", "For how many people?"];
  }
  const [, number] = /\border\D*(\d{3,})/.exec(said) ?? [];
  if (number !== undefined) return lookedUp(number);
  if (/\b(order|parcel|package)\b/.test(said)) {
    memory.asked = "order";
    return ["I can look that up. ", "What is the number of your order?"];
  }
  if (/\b(open|hours|close)/.test(said)) {
    return ["We are open from eleven in the morning until ten at night, ", "every day except Monday."];
  }
  if (/\b(time|date|day|today)\b/.test(said)) {
    const day = now.toLocaleDateString("en", { weekday: "long", month: "long", day: "numeric" });
    return [`It is ${now.toLocaleTimeString("en", { hour: "numeric", minute: "2-digit" })} on ${day}.`];
  }
  if (/\bcount\b/.test(said)) return NUMBERS.split(" ").map((number) => `${number}, `);
  if (/\b(hi|hello|hey|good (morning|afternoon|evening))\b/.test(said)) {
    return [
      "Hello! ",
      "I can book a table, look up an order, tell you our opening hours, or count to twenty. ",
      "What would you like?",
    ];
  }
  return undefined;
}

function echo(query: string): Piece[] {
  return [
    `I heard: ${query.replace(/[.?!]+$/, "")}. `,
    "I can book a table, look up an order, or tell you when we are open.",
  ];
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
