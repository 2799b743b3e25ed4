import { generateTicketKeys } from "@parley/shared/security/tickets.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { TestGateway } from "../../testkit/gateway.ts";

const CALLS = 10;
const [OLD, NEW] = [generateTicketKeys(), generateTicketKeys()];
const accepted = {
  old: OLD.publicKeyPem,
  both: `${OLD.publicKeyPem}${NEW.publicKeyPem}`,
  new: NEW.publicKeyPem,
};
type Accepts = keyof typeof accepted;

/** Gateways that differ in the ticket keys they accept. */
let gateways: Readonly<Record<Accepts, TestGateway>>;

beforeAll(async () => {
  const start = (accepts: Accepts) =>
    TestGateway.start({ keys: { ...OLD, publicKeyPem: accepted[accepts] } });
  gateways = { old: await start("old"), both: await start("both"), new: await start("new") };
});
afterAll(async () => {
  for (const gateway of Object.values(gateways)) await gateway.close();
});

/** The HTTP status a call socket is answered with, 101 when it opens. */
async function statusOf(gateway: TestGateway, privateKeyPem: string): Promise<number> {
  const { sessionId } = await gateway.createSession();
  const socket = new WebSocket(await gateway.url("call", sessionId, { privateKeyPem }));
  return new Promise((resolve) => {
    socket.once("open", () => {
      socket.close();
      resolve(101);
    });
    socket.once("unexpected-response", (_request, response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.on("error", () => undefined);
  });
}

describe("ticket keys", () => {
  it.each<[step: string, accepts: readonly Accepts[], signs: readonly string[]]>([
    ["one gateway accepts the new key, too", ["old", "both"], [OLD.privateKeyPem]],
    ["one control API signs with the new key", ["both", "both"], [OLD.privateKeyPem, NEW.privateKeyPem]],
    ["one gateway has dropped the old key", ["both", "new"], [NEW.privateKeyPem]],
  ])("are rotated without a call refused: %s", async (_, accepts, signs) => {
    const calls = Array.from({ length: CALLS }, (_, n) =>
      statusOf(gateways[accepts[n % accepts.length]!], signs[Math.floor(n / 2) % signs.length]!),
    );
    expect(await Promise.all(calls)).toEqual(Array.from({ length: CALLS }, () => 101));
  });

  it("that a gateway was not given are refused", async () => {
    expect(await statusOf(gateways.old, NEW.privateKeyPem)).toBe(401);
    expect(await statusOf(gateways.new, OLD.privateKeyPem)).toBe(401);
    expect(await statusOf(gateways.both, generateTicketKeys().privateKeyPem)).toBe(401);
  });
});
