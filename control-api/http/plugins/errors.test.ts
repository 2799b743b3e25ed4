import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { errorsPlugin } from "./errors.ts";

/** As Chromium asks for a page. */
const BROWSERS_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

async function answerTo(error: unknown) {
  const lines: string[] = [];
  const log = createLogger({
    level: "warn",
    format: "json",
    name: "test",
    destination: { write: (line) => lines.push(line) },
  });
  const app = fastify({ genReqId: () => newId("req") });
  await app.register(errorsPlugin, { log });
  app.get("/", () => {
    throw error;
  });
  const response = await app.inject({ url: "/" });
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.json(),
    logged: lines.join(""),
  };
}

describe("an error", () => {
  it("that was expected reaches the client with its code, details and when to try again", async () => {
    const answer = await answerTo(
      new AppError("too_many_requests", "Slow down.", { retryAfterSecs: 7, details: { limit: 5 } }),
    );
    expect(answer).toMatchObject({
      status: 429,
      body: { success: false, error: "Slow down.", code: "too_many_requests", details: { limit: 5 } },
    });
    expect(answer.headers["retry-after"]).toBe("7");
    expect(answer.headers["x-request-id"]).toMatch(/^req/);
    expect(answer.logged).toBe("");
  });

  it.each(["internal", "vendor_failed", "unavailable", "deadline_exceeded"] as const)(
    "of status 500 and above leaves one line with the request id the client gets: %s",
    async (code) => {
      const cause = new Error("key k0 is missing");
      const answer = await answerTo(new AppError(code, "It did not work.", { cause }));
      const { requestId } = answer.body;
      expect(answer.body).toMatchObject({ error: "It did not work.", code });
      expect(answer.headers["x-request-id"]).toBe(requestId);
      expect(answer.logged.trim().split("\n")).toHaveLength(1);
      expect(JSON.parse(answer.logged)).toMatchObject({
        requestId,
        method: "GET",
        route: "/",
        status: answer.status,
        code,
        err: "It did not work.",
        cause: "key k0 is missing",
      });
      expect(JSON.stringify(answer.body)).not.toContain("k0");
    },
  );

  it("that was not reaches the client as an id only, and the log in full", async () => {
    const answer = await answerTo(new Error("password=hunter2 in line 7"));
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain("hunter2");
    expect(answer.logged).toContain("line 7");
  });

  it.each([
    Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
    new Error("Connection is closed."),
    new Error("Stream isn't writeable and enableOfflineQueue options is false"),
    new Error("Connection terminated unexpectedly"),
    new Error("Client has encountered a connection error and is not queryable"),
    new Error("timeout exceeded when trying to connect"),
  ])("of a store that is away is a 503 to try again: %s", async (error) => {
    const answer = await answerTo(error);
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(answer.headers["retry-after"]).toBe("2");
  });
});

describe("an address without a route", () => {
  async function answerAt(url: string, accept: string, method: "GET" | "POST" = "GET") {
    const app = fastify();
    await app.register(errorsPlugin, {
      log: createLogger({ level: "silent", format: "json", name: "test" }),
    });
    return app.inject({ method, url, headers: { accept } });
  }

  it("shows a person a page with a way home, and nothing of the address", async () => {
    const answer = await answerAt("/nowhere/<b>?x=%3Cscript%3E", BROWSERS_ACCEPT);
    expect(answer.statusCode).toBe(404);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(answer.headers["x-request-id"]).toBeDefined();
    expect(answer.body).toContain('<a href="/">');
    expect(answer.body).not.toContain("nowhere");
  });

  it.each([
    { what: "anything", url: "/nowhere", accept: "*/*" },
    { what: "JSON", url: "/nowhere", accept: "application/json, text/plain, */*" },
    { what: "JSON before a page", url: "/nowhere", accept: "application/json, text/html" },
    { what: "the API from a browser", url: "/api/nowhere", accept: BROWSERS_ACCEPT },
    { what: "to write", url: "/nowhere", accept: BROWSERS_ACCEPT, method: "POST" },
  ] as const)("answers who asks for $what in JSON", async ({ url, accept, ...more }) => {
    const method = "method" in more ? more.method : "GET";
    const answer = await answerAt(url, accept, method);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      success: false,
      error: `There is no ${method} ${url}; see /docs.`,
      code: "not_found",
    });
  });
});
