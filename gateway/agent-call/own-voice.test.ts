import { generateDtmf } from "@parley/media/dtmf/generator.ts";
import { expect, it } from "vitest";
import type { Echo } from "../../testkit/echo-path.ts";
import { EchoingCall } from "../../testkit/echoing-call.ts";
import { flite } from "../../testkit/speech.ts";

const GREETING = "Welcome to the harbour restaurant, we are open from nine in the morning until midnight.";
const MENU =
  "On Tuesday we have grilled fish with potatoes, a soup of red lentils, and apple pie with cream.";
const LATEST_MS = 15_000;

const answer = (query: string) => [
  { type: "token", text: query === "What is for dinner?" ? MENU : "Very well." } as const,
];

/** A call in which the greeting was heard and the menu is being read. */
async function readingTheMenu(echo?: Echo): Promise<EchoingCall> {
  const call = await EchoingCall.start({ echo, firstResponse: GREETING, answer });
  await call.until(() => call.said("assistant").length === 1, LATEST_MS);
  await call.pass(1_500);
  call.type("What is for dinner?");
  await call.until(() => call.timesOf("metrics").length === 1, LATEST_MS);
  return call;
}

it.each([
  { lossDb: 40, delayMs: 0 },
  { lossDb: 30, delayMs: 400 },
  { lossDb: 20, delayMs: 0 },
  { lossDb: 20, delayMs: 180 },
  { lossDb: 20, delayMs: 400 },
  { lossDb: 10, delayMs: 180 },
])("an agent that hears itself $lossDb dB softer after $delayMs ms says all it has to say", async (echo) => {
  const call = await readingTheMenu(echo);
  await call.until(() => call.said("assistant").length === 2, LATEST_MS);
  await call.pass(2_000);
  expect(call.said("assistant")).toEqual([GREETING, MENU]);
  expect(call.said("user")).toEqual(["What is for dinner?"]);
  expect(call.timesOf("clear")).toEqual([]);
});

it.each<Echo>([
  { lossDb: 40, delayMs: 60 },
  { lossDb: 30, delayMs: 160 },
  { lossDb: 20, delayMs: 300 },
  { lossDb: 10, delayMs: 60 },
  { lossDb: 20, delayMs: 160, sound: "telephone" },
  { lossDb: 20, delayMs: 160, sound: "hall" },
])("an agent whose echo is told word by word says all it has to say: %j", async (echo) => {
  const call = await EchoingCall.start({ echo, wordByWord: true, firstResponse: GREETING, answer });
  await call.until(() => call.said("assistant").length === 1, LATEST_MS);
  await call.pass(2_000);
  expect(call.said("assistant")).toEqual([GREETING]);
  expect(call.said("user")).toEqual([]);
  expect(call.timesOf("clear")).toEqual([]);
});

it.each<Echo>([
  { lossDb: 20, delayMs: 160, sound: "telephone" },
  { lossDb: 20, delayMs: 160, sound: "hall" },
  { lossDb: 30, delayMs: 160, sound: "clipped" },
  { lossDb: 20, delayMs: (ms) => 40 + Math.floor(ms / 500) * 10 },
])("an agent that hears itself out of a bad loudspeaker says all it has to say: %j", async (echo) => {
  const call = await readingTheMenu(echo);
  await call.until(() => call.said("assistant").length === 2, LATEST_MS);
  await call.pass(2_000);
  expect(call.said("assistant")).toEqual([GREETING, MENU]);
  expect(call.timesOf("clear")).toEqual([]);
});

it.each([4_600, 9_400, 10_200])(
  "an agent whose echo comes 240 ms later from %d ms on, in mid-sentence, says all it has to say",
  async (jumpAtMs) => {
    const line =
      "This is answer one, and yes, we can do that for you. It usually takes two or three working days until everything has been arranged. You will get a message with all the details as soon as somebody has looked at it.";
    const call = await EchoingCall.start({
      echo: { lossDb: 20, delayMs: (atMs) => (atMs < jumpAtMs ? 60 : 300) },
      wordByWord: true,
      firstResponse: line,
      answer,
    });
    await call.until(() => call.said("assistant").length === 1, LATEST_MS);
    await call.pass(1_500);
    expect(call.said("assistant")).toEqual([line]);
    expect(call.timesOf("clear")).toEqual([]);
    expect(call.queries).toEqual([]);
  },
);

it.each<[what: string, echo: Echo]>([
  ["in the middle of its greeting", { lossDb: 20, delayMs: 160, fromMs: 2_000 }],
  ["as it begins to answer", { lossDb: 20, delayMs: 160, fromMs: 7_500 }],
  ["in the middle of an answer", { lossDb: 10, delayMs: 160, fromMs: 9_000 }],
  ["softly", { lossDb: 30, delayMs: 60, fromMs: 3_000 }],
])(
  "an agent that begins to hear itself %s, when a loudspeaker is switched on, says all it has to say",
  async (_, echo) => {
    const call = await readingTheMenu(echo);
    await call.until(() => call.said("assistant").length === 2, LATEST_MS);
    await call.pass(2_000);
    expect(call.said("assistant")).toEqual([GREETING, MENU]);
    expect(call.said("user")).toEqual(["What is for dinner?"]);
    expect(call.timesOf("clear")).toEqual([]);
  },
);

/** How long after the caller's voice began the agent fell silent. */
async function stoppedAfterMs(echo?: Echo): Promise<number> {
  const call = await readingTheMenu(echo);
  await call.pass(2_000);
  const startMs = call.nowMs;
  call.say(
    await flite("Stop, please, I only want to have the soup.", "rms"),
    "Stop, please, I only want to have the soup.",
  );
  await call.until(() => call.timesOf("clear").length > 0, LATEST_MS);
  const stoppedMs = call.nowMs - startMs;
  await call.until(() => call.queries.length === 2, LATEST_MS);
  expect(call.queries[1]).toContain("I only want to have the");
  return stoppedMs;
}

it("a caller interrupts an agent that hears itself hardly later than one that does not", async () => {
  const withoutMs = await stoppedAfterMs();
  expect(await stoppedAfterMs({ lossDb: 20, delayMs: 180 })).toBeLessThanOrEqual(withoutMs + 300);
  expect(await stoppedAfterMs({ lossDb: 30, delayMs: 0 })).toBeLessThanOrEqual(withoutMs + 300);
  expect(await stoppedAfterMs({ lossDb: 12, delayMs: 60 })).toBeLessThanOrEqual(withoutMs + 600);
});

it("a caller who asks back with a word of the agent's is heard over the echo", async () => {
  const call = await readingTheMenu({ lossDb: 20, delayMs: 180 });
  await call.pass(2_500);
  call.say(await flite("On Tuesday?", "rms"), "Tuesday?");
  await call.until(() => call.said("user").length === 2, LATEST_MS);
  expect(call.said("user")[1]).toContain("Tuesday?");
});

it("a caller on a line without an echo is heard, though all they say is the agent's words", async () => {
  const call = await readingTheMenu();
  await call.pass(2_500);
  call.say(await flite("Grilled fish with potatoes.", "rms"), "Grilled fish with potatoes.");
  await call.until(() => call.said("user").length === 2, LATEST_MS);
  expect(call.said("user")[1]).toContain("fish with potatoes");
});

/** A call in which the agent has just asked, and is still heard by its echo where there is one. */
async function asked(question: string, echo?: Echo): Promise<EchoingCall> {
  const call = await EchoingCall.start({ echo, firstResponse: question, answer });
  await call.until(() => call.said("assistant").length === 1, LATEST_MS);
  return call;
}

it.each<[what: string, echo: Echo | undefined]>([
  ["on a line without an echo", undefined],
  ["over an echo", { lossDb: 20, delayMs: 160 }],
])("a caller who says the name that the agent has asked about is heard %s", async (_, echo) => {
  const call = await asked("Good evening, am I speaking to Mister Robert Miller?", echo);
  call.say(await flite("Robert Miller.", "rms"), "Robert Miller.");
  await call.until(() => call.queries.length === 1, LATEST_MS);
  expect(call.queries).toEqual(["Robert Miller."]);
});

it.each<[what: string, echo: Echo | undefined]>([
  ["on a line without an echo", undefined],
  ["over an echo", { lossDb: 20, delayMs: 160 }],
])("a caller who says yes to a question that has a yes in it is heard %s", async (_, echo) => {
  const call = await asked("Please say yes or no. Would you like a table by the window?", echo);
  call.say(await flite("Yes.", "rms"), "Yes.");
  await call.until(() => call.queries.length === 1, LATEST_MS);
  expect(call.queries).toEqual(["Yes."]);
});

it("an agent whose own line has a yes and the caller's name in it does not stop for its echo of them", async () => {
  const line = "Yes, Robert, yes, we can do that for you, and yes, Robert Miller, it is free.";
  const call = await EchoingCall.start({
    echo: { lossDb: 20, delayMs: 160 },
    wordByWord: true,
    firstResponse: line,
    answer,
  });
  await call.until(() => call.said("assistant").length === 1, LATEST_MS);
  await call.pass(2_000);
  expect(call.said("assistant")).toEqual([line]);
  expect(call.queries).toEqual([]);
  expect(call.timesOf("clear")).toEqual([]);
});

it("keys that the agent presses do not come back as the caller's, whose own are heard", async () => {
  const call = await EchoingCall.start({
    echo: { lossDb: 20, delayMs: 180 },
    answer: (query) =>
      query === "Press one." ? [{ type: "control", control: { event: "dtmf", digits: "123#" } }] : [],
  });
  call.type("Press one.");
  await call.until(() => call.timesOf("dtmf").length > 0, LATEST_MS);
  await call.pass(1_500);
  call.say(generateDtmf("5"));
  await call.pass(4_000);
  expect(call.queries).toEqual(["Press one.", "DTMF: 5"]);
});
