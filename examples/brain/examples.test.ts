import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Memory, newMemory, type Piece, reply } from "./receptionist.ts";
import { startExampleBrain } from "./server.ts";

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

function hasPython(): boolean {
  try {
    execFileSync("python3", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function ask(url: string, query: string): Promise<string[]> {
  const response = await fetch(`${url}?calling=true&stream=true`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, sessionId: "ses_1", turn: 1 }),
  });
  return [...(await response.text()).matchAll(/^data: (.*)$/gm)].map((match) => match[1] ?? "");
}

/** Starts a brain that prints its port; gives its address. */
async function start(program: string, file: string): Promise<string> {
  const child: ChildProcess = spawn(program, [here(file)], { env: { ...process.env, PORT: "0" } });
  onTestFinished(async () => {
    child.kill();
    await once(child, "exit");
  });
  const [line] = (await once(child.stdout ?? child, "data")) as [Buffer];
  return `http://127.0.0.1:${/port (\d+)/.exec(line.toString())?.[1]}/`;
}

describe("the smallest brains", () => {
  it("in TypeScript says back what it heard", async () => {
    const events = await ask(await start(process.execPath, "minimal.ts"), "hello there");
    expect(events.at(-1)).toBe("[DONE]");
    expect(
      events
        .slice(0, -1)
        .map((text) => JSON.parse(text))
        .join(""),
    ).toBe("You said: hello there");
  });

  it.runIf(hasPython())("in Python says back what it heard", async () => {
    const events = await ask(await start("python3", "minimal.py"), "hello there");
    expect(events.at(-1)).toBe("[DONE]");
    expect(
      events
        .slice(0, -1)
        .map((text) => JSON.parse(text))
        .join(""),
    ).toBe("You said: hello there ");
  });
});

describe("the example brain", () => {
  const words = (pieces: Piece[]): string => pieces.filter((piece) => typeof piece === "string").join("");
  const say = (memory: Memory, query: string): Piece[] =>
    reply({ query, heard: undefined, memory, now: new Date("2026-03-01T10:00:00Z") });

  it("books a table in four turns, asks for digits when it wants digits, and reports the tool", () => {
    const memory = newMemory();
    expect(words(say(memory, "I want to book a table"))).toContain("how many people");
    expect(words(say(memory, "for four please"))).toContain("A table for four");
    const asked = say(memory, "tomorrow at eight");
    expect(asked).toContainEqual({ event: "listen", expect: "digits", endpointingMs: 2500 });
    const booked = say(memory, "DTMF: 5551234#");
    expect(booked[0]).toMatchObject({ event: "tool", arguments: { party: "four", phone: "5551234" } });
    expect(words(booked)).toContain("is booked");
  });

  it("asks for an order to be looked up, and says what came of it", () => {
    const memory = newMemory();
    const call = { event: "tool_call", id: "order", name: "find_order", arguments: { orderNumber: "1001" } };
    expect(say(memory, "Where is my order 1001?")).toContainEqual(call);
    expect(words(say(memory, "Where is my parcel?"))).toContain("number of your order");
    expect(say(memory, "It is 1001.")).toContainEqual(call);
    const order = {
      number: "1001",
      status: "shipped",
      items: [
        { name: "Running shoes", quantity: 1 },
        { name: "Socks", quantity: 2 },
      ],
      tracking: [{ company: "Demo Parcel", number: "DP1001" }],
    };
    const tell = (status: string, orders: (typeof order)[]) => {
      const toolResults = [{ status, arguments: { orderNumber: "1001" }, result: { orders } }];
      return words(
        reply({ query: "Where is my order 1001?", heard: undefined, toolResults, memory, now: new Date() }),
      );
    };
    expect(tell("success", [order])).toBe(
      "Your order 1001 is shipped: Running shoes, and 2 times Socks. The parcel is with Demo Parcel, number DP1001.",
    );
    expect(tell("success", [])).toBe("I am sorry, there is no order 1001.");
    expect(tell("error", [])).toBe("I am sorry, I cannot reach the shop at the moment.");
  });

  it("says that it stops when it was talked over, and ends the call when the caller says goodbye", () => {
    const heard = { text: "one, two," };
    const after = reply({ query: "hello", heard, memory: newMemory(), now: new Date() });
    expect(words(after)).toContain("I'll stop there");
    expect(say(newMemory(), "bye bye")[0]).toMatchObject({ event: "call_end" });
  });

  it("streams word by word and tells a client that posts nonsense what it wants", async () => {
    const brain = await startExampleBrain({ host: "127.0.0.1", port: 0, tokenDelayMs: 0 });
    onTestFinished(() => brain.close());
    expect((await ask(brain.url, "hello")).length).toBeGreaterThan(5);
    const refused = await fetch(brain.url, { method: "POST", body: "{" });
    expect(refused.status).toBe(400);
  });
});
