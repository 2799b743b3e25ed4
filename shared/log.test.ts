import { describe, expect, it } from "vitest";
import { createLogger } from "./log.ts";

function capture() {
  const lines: string[] = [];
  const log = createLogger({
    level: "debug",
    format: "json",
    name: "test",
    destination: { write: (line) => lines.push(line) },
  });
  return { log, text: () => lines.join("") };
}

describe("the log", () => {
  it("keeps secrets and what people said out, at every level of nesting it is given", () => {
    const { log, text } = capture();
    const secrets = {
      apiKey: "hunter2",
      password: "hunter2",
      ticket: "hunter2",
      text: "hunter2",
      authorization: "hunter2",
    };
    log.info({ ...secrets, nested: secrets, deeper: { nested: secrets } }, "hello");
    log
      .child({ sessionId: "ses_1", token: "hunter2" })
      .warn({ headers: { "x-api-key": "hunter2" } }, "again");
    expect(text()).not.toContain("hunter2");
    expect(text()).toContain("[redacted]");
  });

  it("carries the session's id on every line of its child", () => {
    const { log, text } = capture();
    log.child({ sessionId: "ses_1" }).info({}, "hello");
    expect(JSON.parse(text())).toMatchObject({ name: "test", sessionId: "ses_1", msg: "hello" });
  });
});
