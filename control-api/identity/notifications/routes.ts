import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { PUBLIC } from "../../http/access/rules.ts";
import { type Api, responses } from "../../http/routes.ts";
import type { KeptMessage, Outbox } from "./outbox.ts";

const outboxSchema = z.object({
  messages: z.array(
    z.object({
      at: z.string(),
      channel: z.enum(["email", "phone"]),
      to: z.string(),
      subject: z.string().optional(),
      text: z.string(),
    }),
  ),
});
const LOOPBACK = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
const LOCAL_NAMES = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);
const STYLE =
  "body{font:16px/1.5 system-ui;max-width:46rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}" +
  "article{border:1px solid #8886;border-radius:8px;padding:.5rem 1rem;margin:1rem 0}pre{white-space:pre-wrap;font:inherit}";

/** `/dev/outbox`: messages that would have been sent. Only in the embedded default, and only to this machine. */
export function outboxRoutes(app: Api, outbox: Outbox): void {
  const options = { config: { access: PUBLIC }, schema: { hide: true } };
  app.get("/dev/outbox", options, async (request, reply) => {
    assertLocal(request);
    return reply
      .type("text/html; charset=utf-8")
      .header(
        "content-security-policy",
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .header("cache-control", "no-store")
      .send(page(outbox.list()));
  });
  app.get(
    "/dev/outbox.json",
    { config: { access: PUBLIC }, schema: { hide: true, response: responses(200, outboxSchema) } },
    async (request) => {
      assertLocal(request);
      return { messages: [...outbox.list()] };
    },
  );
}

/** Outbox readers can sign in as anybody. The host name check stops pages whose name was pointed at this machine. */
function assertLocal({ ip, hostname, headers }: FastifyRequest): void {
  const isForwarded = ["x-forwarded-for", "x-real-ip", "forwarded", "via"].some(
    (name) => headers[name] !== undefined,
  );
  if (LOOPBACK.has(ip) && LOCAL_NAMES.has(hostname) && !isForwarded) return;
  throw new AppError("forbidden", "The outbox can only be read on the machine that Parley runs on.");
}

function page(messages: readonly KeptMessage[]): string {
  const articles = messages.map((message) => {
    const subject = message.channel === "email" ? message.subject : "SMS";
    return `<article><h2>${escapeHtml(subject)}</h2><p>to ${escapeHtml(message.to)}, ${escapeHtml(message.at)}</p><pre>${linked(message.text)}</pre></article>`;
  });
  const body =
    articles.length === 0
      ? "<p>Nothing was sent yet. Reload after asking for a code.</p>"
      : articles.join("");
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Outbox · Parley</title><style>${STYLE}</style><h1>Outbox</h1><p>Mail and SMS are kept here instead of being sent. Set SMTP_URL to send mail.</p>${body}</html>`;
}

function linked(text: string): string {
  return escapeHtml(text).replace(/https?:\/\/[^\s<&]+/g, (url) => `<a href="${url}">${url}</a>`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
