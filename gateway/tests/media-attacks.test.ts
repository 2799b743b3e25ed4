import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { ACCOUNT_CARRIERS, type AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import type { TicketKind } from "@parley/shared/security/tickets.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { TestBrain } from "../../testkit/brain.ts";
import { newPhoneIds, PHONE_DIALECTS } from "../../testkit/fakes/phones/by-carrier.ts";
import { FakePhone } from "../../testkit/fakes/phones/phone.ts";
import { TestGateway } from "../../testkit/gateway.ts";

const REFUSED_AT_START = { code: 4000 };
const GREETING = "Hello, this is the agent, and I am listening to you.";

let gateway: TestGateway;
let brain: TestBrain;
const phones: FakePhone[] = [];
beforeAll(async () => {
  gateway = await TestGateway.start({ env: { LOG_LEVEL: "error" } });
  brain = await TestBrain.saying("I hear you.");
});
afterAll(async () => {
  for (const phone of phones) phone.drop();
  brain.close();
  await gateway.close();
});

async function ticketOf(kind: TicketKind, sessionId: string): Promise<string> {
  return new URL(await gateway.url(kind, sessionId)).searchParams.get("ticket") ?? "";
}

function mediaUrl(carrier: AccountCarrierName, sessionId: string, ticket: string): string {
  return `${gateway.gateway.publicUrl}/v1/media/${carrier}/${sessionId}/${ticket}`;
}

/** A call that rings, and the address its carrier was told. */
async function ringing(carrier: AccountCarrierName) {
  const { sessionId } = await gateway.createSession({ brainUrl: brain.url, firstResponse: GREETING });
  const url = mediaUrl(carrier, sessionId, await ticketOf("leg", sessionId));
  const ids = newPhoneIds();
  const connect = async (as = ids): Promise<FakePhone> => {
    const phone = await FakePhone.connect(url, PHONE_DIALECTS.get(carrier)!(as));
    phones.push(phone);
    return phone;
  };
  return { sessionId, url, connect };
}

async function refusal(url: string): Promise<{ status: number | undefined; code: unknown }> {
  const socket = new WebSocket(url);
  socket.on("error", () => undefined);
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const { code } = JSON.parse(Buffer.concat(chunks).toString()) as { code: unknown };
  return { status: response.statusCode, code };
}

describe.each(ACCOUNT_CARRIERS)("whoever learned the address of a call's media at %s", (carrier) => {
  it("cannot join or take it while its phone is there, not even by the leg's own name", async () => {
    const { connect } = await ringing(carrier);
    const phone = await connect();
    await expect.poll(() => phone.heard.length, { timeout: 90_000 }).toBeGreaterThan(5);
    const thieves = [await connect(newPhoneIds()), await connect()];
    for (const thief of thieves) {
      expect(await thief.untilClosed()).toEqual(REFUSED_AT_START);
      expect(thief.heard).toEqual([]);
    }
    expect(phone.closed).toBeUndefined();
  });

  it("gets it once of many who come at the same moment", async () => {
    const { sessionId, connect } = await ringing(carrier);
    const sockets = await Promise.all(Array.from({ length: 8 }, () => connect(newPhoneIds())));
    const open = () => sockets.filter(({ closed }) => closed === undefined);
    await expect.poll(() => open().length, { timeout: 90_000 }).toBe(1);
    open()[0]?.hangUp();
    // The greeting may have begun by then, which is a message.
    const about = (await gateway.eventsOf(sessionId)).filter(({ type }) => type !== "call.message");
    expect(about.map(({ type }) => type)).toEqual(["call.started", "call.ended"]);
  });

  it("cannot bring it back once it has ended, though the ticket is still good", async () => {
    const { sessionId, url, connect } = await ringing(carrier);
    const phone = await connect();
    phone.hangUp();
    await gateway.eventsOf(sessionId);
    expect(await refusal(url)).toEqual({ status: 404, code: "session_ended" });
  });
});

describe("a ticket for a media socket", () => {
  it("is of a leg: one for watching opens none, and a leg's does not watch", async () => {
    const { sessionId } = await ringing("twilio");
    const watching = mediaUrl("twilio", sessionId, await ticketOf("stream", sessionId));
    expect(await refusal(watching)).toEqual({ status: 401, code: "ticket_invalid" });
    const leg = await ticketOf("leg", sessionId);
    const stream = `${gateway.gateway.publicUrl}/v1/streams/${sessionId}?ticket=${leg}`;
    expect(await refusal(stream)).toEqual({ status: 401, code: "ticket_invalid" });
  });

  it("opens its own session at every carrier's address, and no other's", async () => {
    const [one, other] = [await ringing("twilio"), await ringing("plivo")];
    const ticket = await ticketOf("leg", one.sessionId);
    for (const carrier of ACCOUNT_CARRIERS) {
      const url = mediaUrl(carrier, other.sessionId, ticket);
      expect(await refusal(url)).toEqual({ status: 401, code: "ticket_invalid" });
    }
  });

  it("that was changed in any part, or signs itself, is none", async () => {
    const { sessionId } = await ringing("twilio");
    const ticket = await ticketOf("leg", sessionId);
    const [header = "", payload = "", signature = ""] = ticket.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const later = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 3_600 })).toString("base64url");
    const none = Buffer.from('{"alg":"none","typ":"ticket+jwt"}').toString("base64url");
    for (const forged of [
      `${header}.${later}.${signature}`,
      `${none}.${payload}.`,
      `${header}.${payload}.${"A".repeat(signature.length)}`,
      ticket.slice(0, -10),
      "x",
      "%00",
    ]) {
      expect(await refusal(mediaUrl("twilio", sessionId, forged)), forged).toMatchObject({ status: 401 });
    }
  });
});

describe("the log of a gateway", () => {
  it("tells no ticket, whatever is done with one", async () => {
    const written: string[] = [];
    const write = process.stdout.write;
    const tickets: string[] = [];
    process.stdout.write = ((chunk: string | Uint8Array) => written.push(String(chunk)) > 0) as typeof write;
    try {
      const loud = await TestGateway.start({ env: { LOG_LEVEL: "debug" } });
      const { sessionId } = await loud.createSession({ brainUrl: "http://127.0.0.1:9/" });
      for (const carrier of [...ACCOUNT_CARRIERS, "nobody"]) {
        const url = await loud.mediaUrl(carrier, sessionId);
        tickets.push(url.split("/").at(-1) ?? "");
        const socket = new WebSocket(url);
        socket.on("error", () => undefined);
        socket.on("open", () => socket.send("no protocol of any carrier's"));
        await new Promise((closed) => socket.on("close", closed));
      }
      tickets.push(
        (await loud.mediaUrl("twilio", sessionId, { forSession: "ses_x" })).split("/").at(-1) ?? "",
      );
      await refusal(`${loud.gateway.publicUrl}/v1/media/twilio/${sessionId}/${tickets.at(-1)}`);
      await loud.close();
    } finally {
      process.stdout.write = write;
    }
    const log = written.join("");
    expect(log).toContain("a carrier's media socket sends invalid messages");
    for (const ticket of tickets) expect(log).not.toContain(ticket.split(".")[2]);
  });
});
