import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "@parley/shared/clock.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { SMTPServer } from "smtp-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { Messenger } from "./messenger.ts";
import { codeMessage, invitationMessage } from "./texts.ts";

function messenger(env: Record<string, string>, clock = systemClock) {
  const logged: string[] = [];
  const destination = { write: (line: string) => logged.push(line) };
  const log = createLogger({ level: "warn", format: "json", name: "test", destination });
  const metrics = createMetrics();
  const made = new Messenger({ config: loadConfig({ DEMO: "false", ...env }), clock, log, metrics });
  const count = async (labels: string): Promise<boolean> =>
    (await metrics.text()).includes(`parley_messages_total{${labels}}`);
  return { messenger: made, logged, count };
}

const toAnn = codeMessage({ channel: "email", to: "ann@example.com" }, { code: "123456", minutes: 10 });

describe("mail", () => {
  it("is handed to the SMTP server with one recipient and the text as it is", async () => {
    const received: { to: string[]; text: string }[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          const to = session.envelope.rcptTo.map(({ address }) => address);
          received.push({ to, text: Buffer.concat(chunks).toString("utf8") });
          done();
        });
      },
    });
    server.listen(0, "127.0.0.1");
    await once(server.server, "listening");
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.server.address() as AddressInfo;
    const { messenger: sender, count } = messenger({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: "Acme <a@acme.example>",
    });
    sender.post(toAnn);
    await sender.close();
    expect(received).toHaveLength(1);
    expect(received[0]?.to).toEqual(["ann@example.com"]);
    expect(received[0]?.text).toContain("Subject: 123456 is your Parley code");
    expect(received[0]?.text).toContain("From: Acme <a@acme.example>");
    expect(await count('channel="email",outcome="sent"')).toBe(true);
  });

  it("is tried three times, and then logged without what is in it", async () => {
    const clock = new ManualClock();
    const { messenger: sender, logged, count } = messenger({ SMTP_URL: "smtp://127.0.0.1:9" }, clock);
    sender.post(toAnn);
    await expect
      .poll(async () => {
        clock.advance(10_000);
        return count('channel="email",outcome="failed"');
      })
      .toBe(true);
    expect(logged.join("")).toContain("failed to send a message");
    expect(logged.join("")).not.toMatch(/123456|ann@example/);
  });

  it("that cannot be sent at all is warned of at the start", () => {
    expect(messenger({}).logged.join("")).toContain("SMTP_URL is not set");
  });

  it("of an invitation has no line, link or mark of the inviter's making", () => {
    const message = invitationMessage("b@example.com", {
      orgName: "Prize\r\nBcc: all@example.com https://evil.example/a.b",
      inviter: { name: "\u202eevil.example", email: "ann@acme.example" },
      role: "viewer",
      link: "https://parley.example/invitation#token=t",
    });
    expect(JSON.stringify(message)).not.toMatch(/\\r|evil\.example|\u202e/);
    expect(message.text).toContain("https://parley.example/invitation#token=t");
    expect(message.text).toContain("(ann@acme.example) invited you to join the organization");
  });
});

describe("an SMS", () => {
  it("goes out by the carrier's REST API", async () => {
    const requests: { url: string | undefined; authorization: string | undefined; form: URLSearchParams }[] =
      [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
      requests.push({ url: request.url, authorization: request.headers.authorization, form });
      response.writeHead(201, { "content-type": "application/json" }).end('{"sid":"SM1","status":"queued"}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { messenger: sender } = messenger({
      TWILIO_ACCOUNT_SID: "AC1",
      TWILIO_AUTH_TOKEN: "token",
      SMS_FROM: "+15550001111",
      TWILIO_API_URL: `http://127.0.0.1:${port}`,
    });
    sender.post(codeMessage({ channel: "phone", to: "+31612345678" }, { code: "654321", minutes: 10 }));
    await sender.close();
    expect(requests[0]?.url).toBe("/2010-04-01/Accounts/AC1/Messages.json");
    expect(requests[0]?.authorization).toBe(`Basic ${Buffer.from("AC1:token").toString("base64")}`);
    expect(Object.fromEntries(requests[0]?.form ?? [])).toMatchObject({
      To: "+31612345678",
      From: "+15550001111",
      Body: expect.stringContaining("654321"),
    });
  });
});

describe("the outbox", () => {
  it("shows people on this machine what would have been sent, with links to follow", async () => {
    const api = await TestControlApi.start();
    const person = await TestPerson.register(api, { name: "<b>Ann</b>" });
    await api.call("POST", "/api/auth/forgot-password", { body: { email: person.email } });
    const page = await api.call("GET", "/dev/outbox");
    expect(page.text).toContain(`<a href="${api.api.baseUrl}/reset-password#token=`);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    await api.close();
  });

  it("is kept from pages whose name was pointed at this machine, and from other machines", async () => {
    const api = await TestControlApi.start({ env: { TRUST_PROXY: "127.0.0.1/32" } });
    const read = (headers: Record<string, string>) => api.call("GET", "/dev/outbox.json", { headers });
    expect((await read({})).status).toBe(200);
    expect((await read({ "x-forwarded-for": "203.0.113.9" })).status).toBe(403);
    expect((await read({ "x-forwarded-host": "evil.example" })).status).toBe(403);
    await api.close();
  });

  it("is not there in production", async () => {
    const api = await TestControlApi.start({ env: { DEMO: "false" } });
    expect((await api.call("GET", "/dev/outbox")).status).toBe(404);
    await api.close();
  });
});
