/** One piece of an answer: words to speak, or a control event for the gateway. */
export type Piece = string | Record<string, unknown>;

/** What the receptionist remembers of a caller. */
export interface Memory {
  /** What it is waiting to be told. */
  asked: "party" | "time" | "phone" | undefined;
  party: string;
  time: string;
}

export interface Turn {
  readonly query: string;
  /** What the caller heard of an answer that was talked over. */
  readonly heard: { readonly text: string } | undefined;
  readonly memory: Memory;
  readonly now: Date;
}

const NUMBERS =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty";
const PARTY = new RegExp(`\\b(${NUMBERS.split(" ").slice(0, 12).join("|")}|\\d{1,2})\\b`, "i");

export function newMemory(): Memory {
  return { asked: undefined, party: "", time: "" };
}

/** A small receptionist by rules: enough to try every manner of the gateway, no model needed. */
export function reply({ query, heard, memory, now }: Turn): Piece[] {
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
  return undefined;
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
      "I can book a table, tell you our opening hours, or count to twenty. ",
      "What would you like?",
    ];
  }
  return undefined;
}

function echo(query: string): Piece[] {
  return [`I heard: ${query.replace(/[.?!]+$/, "")}. `, "I can book a table, or tell you when we are open."];
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
