import { request } from "@parley/shared/bus/request-reply.ts";
import { systemClock } from "@parley/shared/clock.ts";
import {
  type CallCommand,
  COMMAND_DEADLINE_MS,
  commandChannel,
} from "@parley/shared/contracts/call-commands.ts";
import { muteKey } from "@parley/shared/contracts/call-plan.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { TestGateway } from "../../testkit/gateway.ts";

const OPENER = "Hello Ada, this is Parley. I am calling about the order you placed on Monday.";
/** The voice is not ready with it when the machine is found. */
const LONG = Array.from({ length: 12 }, (_, i) => `${OPENER} That is reason number ${i + 1}.`).join(" ");
const FAREWELL = "Goodbye and thank you for your time.";
const QUIET: CallCommand = { command: "mute", ms: 20_000 };
const SPEAK: CallCommand = { command: "mute", ms: 0 };

let gateway: TestGateway;
let brain: TestBrain;
beforeAll(async () => {
  gateway = await TestGateway.start();
  brain = await TestBrain.start((turn) => {
    if (turn.request.query === "Bye.") turn.control({ event: "call_end", farewell: FAREWELL });
    else turn.token("I hear you.");
    turn.done();
  });
});
afterAll(async () => {
  await gateway.close();
  brain.close();
});

interface Placed {
  readonly sessionId: string;
  readonly url: string;
}

async function place(firstResponse = OPENER): Promise<Placed> {
  const { sessionId } = await gateway.createSession({ brainUrl: brain.url, firstResponse });
  return { sessionId, url: await gateway.url("leg", sessionId) };
}

async function order(sessionId: string, command: CallCommand): Promise<void> {
  const payload = JSON.stringify(command);
  const asked = { payload, deadlineMs: COMMAND_DEADLINE_MS, clock: systemClock };
  expect(await request(gateway.bus.channels, commandChannel(sessionId), asked)).toBe('{"ok":true}');
}

/** Asks for a turn that is not answered, so that what would have been said before it was. */
async function staysQuiet(phone: TestCaller): Promise<void> {
  phone.send({ type: "text", text: "Hello?" });
  await phone.said("user");
  await phone.next("state", ({ state }) => state === "listening");
}

describe("the first response of a call to a machine", () => {
  it("is not begun when the carrier has said so before its media came, and is a person's who turns out to be there", async () => {
    const { sessionId, url } = await place();
    await gateway.bus.keys.set(muteKey(sessionId), "20000", 5_000);
    const phone = await TestCaller.start(url, { acknowledges: true });
    await staysQuiet(phone);
    expect(phone.heard()).toHaveLength(0);
    await order(sessionId, SPEAK);
    expect(await phone.said("assistant")).toMatchObject({ text: OPENER });
    phone.drop();
  });

  it("stops at once, also what its voice has not said yet, and is begun again for a person", async () => {
    const { sessionId, url } = await place(LONG);
    const phone = await TestCaller.start(url, { acknowledges: true });
    await phone.next("state", ({ state }) => state === "speaking");
    await order(sessionId, QUIET);
    await phone.next("state", ({ state }) => state === "listening");
    const heardUntilThen = phone.heard().length;
    await staysQuiet(phone);
    expect(phone.heard()).toHaveLength(heardUntilThen);
    await order(sessionId, SPEAK);
    await phone.next("state", ({ state }) => state === "speaking");
    await phone.next("transcript", (one) => one.role === "assistant" && one.text.startsWith(OPENER));
    phone.drop();
  });

  it("that was heard to its end is not said again", async () => {
    const { sessionId, url } = await place();
    const phone = await TestCaller.start(url, { acknowledges: true });
    expect(await phone.said("assistant")).toMatchObject({ text: OPENER });
    await order(sessionId, QUIET);
    await order(sessionId, SPEAK);
    phone.send({ type: "text", text: "Hello?" });
    expect(await phone.said("assistant")).toMatchObject({ text: "I hear you." });
    phone.drop();
  });

  it("is begun at once where nothing is known of a machine", async () => {
    const { url } = await place();
    const phone = await TestCaller.start(url, { acknowledges: true });
    await phone.next("state", ({ state }) => state === "speaking");
    phone.drop();
  });
});

describe("a machine that is found late", () => {
  it("does not cut off a farewell, which ends the call", async () => {
    const { sessionId, url } = await place("");
    const phone = await TestCaller.start(url, { acknowledges: true });
    phone.send({ type: "text", text: "Bye." });
    await phone.next("state", ({ state }) => state === "speaking");
    await order(sessionId, QUIET);
    expect(await phone.next("ended")).toMatchObject({ reason: "agent_end_call" });
    const farewell = phone.messages.filter(({ type }) => type === "transcript").at(-1);
    expect(farewell).toMatchObject({ text: FAREWELL });
  });
});
