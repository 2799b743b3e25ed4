import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLogger, type LoggerOptions } from "./log.ts";

function capture(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const log = createLogger({
    level: "debug",
    format: "json",
    name: "test",
    destination: { write: (line) => lines.push(line) },
    ...options,
  });
  return { log, text: () => lines.join(""), last: () => JSON.parse(lines.at(-1) ?? "null") };
}

const SECRET_KEYS = [
  ...["apiKey", "api_key", "X-API-Key", "openaiApiKey", "authorization", "Authorization", "cookie"],
  ...["set-cookie", "ticket", "token", "resumeToken", "secret", "brain_secret", "S3_SECRET_ACCESS_KEY"],
  ...["password", "passwordHash", "privateKeyPem"],
];
const PERSONAL_KEYS = [
  "text",
  "query",
  "variables",
  "identifier",
  "transcript",
  "email",
  "phone",
  "digits",
  "fromNumber",
  ...["heardText", "whisper", "digit", "arguments", "result", "to"],
];

describe("the log", () => {
  it.each(SECRET_KEYS.concat(PERSONAL_KEYS))("keeps out what is under %s", (key) => {
    const { log, text } = capture();
    const value = { [key]: "hunter2" };
    log.info(value, "hello");
    log.info({ a: { b: { c: value, list: [1, [value]] } } }, "hello");
    log.info({ [key]: { inside: ["hunter2"] } }, "hello");
    log.child(value).child({ bound: value }).warn({ headers: value }, "hello");
    expect(text()).not.toContain("hunter2");
    expect(text()).toContain("[redacted]");
  });

  it("keeps out what sits under a secret key at any depth and beside anything", () => {
    const key = fc.constantFrom(...SECRET_KEYS, ...PERSONAL_KEYS);
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        fc.record({ key, value: fc.jsonValue() }).map((leaf) => ({ [leaf.key]: ["hunter2", leaf.value] })),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie("node"), { maxKeys: 3 }),
      ),
    })).node;
    fc.assert(
      fc.property(tree, (value) => {
        const { log, text } = capture();
        log.info({ value }, "hello");
        expect(text()).not.toContain("hunter2");
      }),
    );
  });

  it.each([
    "ws://gateway/v1/calls/ses_1?ticket=hunter2",
    "wss://gateway/v1/media/twilio/ses_1/hunter2",
    "cannot reach redis://user:hunter2@host:6379",
    "GET /x?a=1&token=hunter2&b=2 failed",
    "refused: Authorization: Bearer hunter2",
  ])("takes secrets out of texts: %s", (value) => {
    const { log, text, last } = capture();
    log.warn({ err: value, url: value }, "hello");
    log.warn({ err: new Error(value, { cause: new Error(value) }) }, "hello");
    expect(text()).not.toContain("hunter2");
    expect(last().err.message.length).toBeGreaterThan(10);
  });

  it("describes an error by what helps, and leaves out the request a client hung onto it", () => {
    const { log, text, last } = capture();
    const error = Object.assign(new TypeError("it broke", { cause: new Error("underneath") }), {
      code: "E_BROKE",
      config: { headers: ["hunter2"], body: "hunter2" },
    });
    log.error({ err: error }, "failed");
    expect(last().err).toMatchObject({
      type: "TypeError",
      message: "it broke",
      code: "E_BROKE",
      cause: { message: "underneath" },
    });
    expect(last().err.stack).toContain("log.test.ts");
    log.error(error, "failed");
    expect(last().err.message).toBe("it broke");
    expect(text()).not.toContain("hunter2");
  });

  it("is never broken by what it is given", () => {
    const { log, last } = capture();
    const circle = { name: "circle", self: {} };
    circle.self = circle;
    log.info({ circle, audio: new Int16Array(320), when: new Date(0), nothing: undefined, big: 1n }, "odd");
    expect(last()).toMatchObject({ audio: "[640 bytes]", when: "1970-01-01T00:00:00.000Z", msg: "odd" });
  });

  it("says what it was asked to say, by level", () => {
    const { log, text, last } = capture({ level: "warn" });
    log.info({}, "quiet");
    expect(text()).toBe("");
    log
      .child({ sessionId: "ses_1" })
      .child({ turn: 3 })
      .warn({ ms: 1.5, flags: [true, null] }, "hello");
    expect(last()).toMatchObject({
      name: "test",
      sessionId: "ses_1",
      turn: 3,
      ms: 1.5,
      flags: [true, null],
      msg: "hello",
    });
  });

  it("is pretty for people who have pino-pretty", () => {
    const program = `import(${JSON.stringify(join(import.meta.dirname, "log.ts"))}).then(({ createLogger }) =>
      createLogger({ level: "info", format: "pretty", name: "test" }).info({ ms: 5 }, "hello"))`;
    const out = execFileSync(process.execPath, ["-e", program], { encoding: "utf8" });
    expect(out).toMatch(/INFO.*hello/);
    expect(out).not.toMatch(/^\{/);
  });
});
