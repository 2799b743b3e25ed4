import { createHmac, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { importPKCS8, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../config/config.ts";
import { ManualClock } from "../manual-clock.ts";
import { loadGatewayKeys, loadKeys } from "./local-keys.ts";
import { PlanBox } from "./plan-box.ts";
import { signBody, verifyBody } from "./signatures.ts";
import { createTicketSigner, createTicketVerifier, generateTicketKeys } from "./tickets.ts";

const keys = generateTicketKeys();
const clock = new ManualClock(Date.now());
const signer = createTicketSigner({ privateKeyPem: keys.privateKeyPem, clock });
const verifier = createTicketVerifier({ publicKeyPem: keys.publicKeyPem, clock });
const CLAIMS = { sessionId: "ses_1", orgId: "org_1", kind: "call" } as const;
const now = () => Math.floor(clock.wallMs() / 1000);

describe("a ticket", () => {
  it("is good for its session and kind for sixty seconds", async () => {
    const ticket = await signer.sign(CLAIMS);
    const read = { claims: CLAIMS, givenMs: clock.wallMs() };
    expect(await verifier.verify(ticket, "call")).toEqual({ ...read, expired: false });
    await expect(verifier.verify(ticket, "stream")).rejects.toMatchObject({ code: "ticket_invalid" });
    const later = createTicketVerifier({
      publicKeyPem: keys.publicKeyPem,
      clock: new ManualClock(clock.wallMs() + 61_000),
    });
    expect(await later.verify(ticket, "call")).toEqual({ ...read, expired: true });
  });

  it("of another installation, tampered with, or of no signature is invalid", async () => {
    const foreign = createTicketSigner({ privateKeyPem: generateTicketKeys().privateKeyPem, clock });
    const good = await signer.sign(CLAIMS);
    const [head = "", body = "", signature = ""] = good.split(".");
    const otherBody = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(body, "base64url").toString()), sid: "ses_2" }),
    );
    const payload = {
      sid: "ses_1",
      org: "org_1",
      kind: "call",
      exp: now() + 60,
      iss: "parley-control-api",
      aud: "parley-gateway",
    };
    const hmacHead = Buffer.from('{"alg":"HS256","typ":"ticket+jwt"}').toString("base64url");
    const hmacBody = Buffer.from(JSON.stringify(payload)).toString("base64url");
    const hmac = createHmac("sha256", keys.publicKeyPem)
      .update(`${hmacHead}.${hmacBody}`)
      .digest("base64url");
    const attacks = [
      await foreign.sign(CLAIMS),
      `${head}.${otherBody.toString("base64url")}.${signature}`,
      new UnsecuredJWT(payload).encode(),
      `${hmacHead}.${hmacBody}.${hmac}`,
      good.slice(0, -4),
    ];
    for (const ticket of attacks) {
      await expect(verifier.verify(ticket, "call")).rejects.toMatchObject({ code: "ticket_invalid" });
    }
  });

  it("for another audience, of another type or without an end is invalid", async () => {
    const key = await importPKCS8(keys.privateKeyPem, "EdDSA");
    const make = (audience: string, type: string) =>
      new SignJWT({ sid: "ses_1", org: "org_1", kind: "call" })
        .setProtectedHeader({ alg: "EdDSA", typ: type })
        .setIssuer("parley-control-api")
        .setAudience(audience);
    const attacks = [
      await make("somebody-else", "ticket+jwt")
        .setExpirationTime(now() + 60)
        .sign(key),
      await make("parley-gateway", "JWT")
        .setExpirationTime(now() + 60)
        .sign(key),
      await make("parley-gateway", "ticket+jwt").sign(key),
    ];
    for (const ticket of attacks) {
      await expect(verifier.verify(ticket, "call")).rejects.toMatchObject({ code: "ticket_invalid" });
    }
  });

  it("that is any other text is invalid and nothing worse", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        await expect(verifier.verify(text, "call")).rejects.toMatchObject({ code: "ticket_invalid" });
      }),
    );
  });
});

describe("a signature", () => {
  it("is the hex of an HMAC-SHA256 over the raw bytes", () => {
    const expected = createHmac("sha256", "s").update("body").digest("hex");
    expect(signBody("s", "body")).toBe(`sha256=${expected}`);
    expect(verifyBody("s", "body", `sha256=${expected}`)).toBe(true);
    expect(verifyBody("s", "body ", `sha256=${expected}`)).toBe(false);
    expect(verifyBody("s", "body", "")).toBe(false);
  });
});

describe("the keys of an installation", () => {
  it("are made once, for their owner only, and are the same for all who start together", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "parley-keys-"));
    try {
      const config = loadConfig({ DATA_DIR: dataDir });
      const loaded = await Promise.all(Array.from({ length: 8 }, () => loadKeys(config)));
      expect(new Set(loaded.map(({ ticketPublicKeyPem }) => ticketPublicKeyPem)).size).toBe(1);
      const { ticketPublicKeyPem, planKey } = loaded[0]!;
      expect(await loadGatewayKeys(config)).toEqual({ ticketPublicKeyPem, planKey });
      expect((await stat(join(dataDir, "secrets.json"))).mode & 0o777).toBe(0o600);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it("are never replaced when the file is damaged, and not told either", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "parley-keys-"));
    try {
      const config = loadConfig({ DATA_DIR: dataDir });
      await loadKeys(config);
      const path = join(dataDir, "secrets.json");
      const damaged = (await readFile(path, "utf8")).slice(0, -10);
      await writeFile(path, damaged);
      const refused = loadKeys(config);
      await expect(refused).rejects.toThrow("secrets.json no longer has any keys");
      await expect(refused).rejects.not.toThrow("PRIVATE");
      expect(await readFile(path, "utf8")).toBe(damaged);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it("may be given on one line", async () => {
    const oneLine = (pem: string): string => pem.trim().replaceAll("\n", " ");
    const config = loadConfig({
      TICKET_PRIVATE_KEY: oneLine(keys.privateKeyPem),
      TICKET_PUBLIC_KEY: oneLine(keys.publicKeyPem),
      SECRETS_KEY: `k1:${randomBytes(32).toString("base64")}`,
      PLAN_KEY: `k1:${randomBytes(32).toString("base64")}`,
    });
    const loaded = await loadKeys(config);
    const ticket = await createTicketSigner({ privateKeyPem: loaded.ticketPrivateKeyPem, clock }).sign(
      CLAIMS,
    );
    expect(await verifier.verify(ticket, "call")).toMatchObject({ expired: false });
  });

  it("that are configured need the one for call plans, too: two machines would make two", async () => {
    const config = loadConfig({ TICKET_PUBLIC_KEY: keys.publicKeyPem, DATA_DIR: "/nowhere" });
    await expect(loadGatewayKeys(config)).rejects.toThrow("PLAN_KEY is missing");
  });
});

describe("a call plan on the bus", () => {
  const planKey = (): string => `k1:${randomBytes(32).toString("base64")}`;
  const plan = {
    mode: "manual" as const,
    sessionId: "ses_1",
    callId: "cal_1",
    orgId: "org_hunter2",
    userId: "usr_1",
    incoming: false,
    answerWithinMs: 1_000,
    maxDurationMs: 1_000,
    recording: true,
    nodeId: "nod_1",
    createdAt: "2026-01-01T00:00:00.000Z",
  };

  it("opens with its key, for its session", () => {
    const box = new PlanBox(planKey());
    const sealed = box.seal(plan);
    expect(sealed).not.toContain("hunter2");
    expect(box.open(sealed, "ses_1")).toEqual(plan);
    expect(() => box.open(sealed, "ses_2")).toThrow("another PLAN_KEY");
    expect(() => new PlanBox(planKey()).open(sealed, "ses_1")).toThrow("another PLAN_KEY");
  });

  it("of a control API of version 0.1.0 is in the clear, and works", () => {
    expect(new PlanBox(planKey()).open(JSON.stringify(plan), "ses_1")).toEqual(plan);
  });
});
