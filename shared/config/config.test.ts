import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { generateTicketKeys } from "../security/tickets.ts";
import { ConfigError, configReference, loadConfig } from "./config.ts";

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("the configuration", () => {
  it("needs nothing to be set", () => {
    const config = loadConfig({});
    expect(config.http).toMatchObject({
      host: "127.0.0.1",
      controlApiPort: 8080,
      gatewayPort: 8090,
      brainPort: 8091,
    });
    expect(config.demo.isOn).toBe(true);
  });

  it.each<[Record<string, string>, string]>([
    [
      { GATEWAY_PORT: "eighty" },
      'GATEWAY_PORT is "eighty"; expected a port from 0 to 65535 (0 picks a free one)',
    ],
    [
      { CONTROL_API_PORT: "70000" },
      'CONTROL_API_PORT is "70000"; expected a port from 0 to 65535 (0 picks a free one)',
    ],
    [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL is "loud"; expected fatal, error, warn, info, debug, trace, silent'],
    [{ DEMO: "yes" }, 'DEMO is "yes"; expected true or false'],
    [
      { PUBLIC_URL: "example.com" },
      'PUBLIC_URL is "example.com"; expected a URL that starts with http:// or https://',
    ],
    [{ AUDIO_LEAD_MS: "5" }, 'AUDIO_LEAD_MS is "5"; expected whole ms from 20 to 2000'],
    [
      { S3_BUCKET: "b", S3_ACCESS_KEY_ID: "k" },
      "S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together; set both or neither",
    ],
    [
      { ALLOW_PRIVATE_TARGETS: "10.0.0.1" },
      'ALLOW_PRIVATE_TARGETS is "10.0.0.1"; expected CIDRs such as 127.0.0.0/8,::1/128',
    ],
  ])("names a wrong value and what was expected: %j", (env, problem) => {
    expect(problemsOf(env)).toEqual([problem]);
  });

  it("tells all faults together, and never a secret", () => {
    const problems = problemsOf({ GATEWAY_PORT: "x", REDIS_URL: "http://:hunter2@x", LOG_FORMAT: "xml" });
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain("hunter2");
  });

  it("tells wrong values and values that do not go together in one go", () => {
    const problems = problemsOf({
      GATEWAY_PORT: "x",
      S3_ACCESS_KEY_ID: "k",
      DATABASE_DIRECT_URL: "postgres://primary.example/parley",
      DATABASE_REPLICA_URL: "postgres://standby.example/parley",
      AUDIO_LEAD_MS: "2000",
      START_TIMEOUT_MS: "100",
    });
    expect(problems.map((problem) => problem.split(" ")[0])).toEqual([
      "GATEWAY_PORT",
      "S3_ACCESS_KEY_ID",
      "DATABASE_DIRECT_URL",
      "DATABASE_REPLICA_URL",
      "S3_ACCESS_KEY_ID",
      "AUDIO_LEAD_MS",
    ]);
  });

  it.each([
    "redis://127.0.0.1:6379",
    "rediss://:pw@redis.example",
    "redis+cluster://h1:7000,h2:7001",
    "redis+sentinel://:pw@h1:26379,h2:26379/master",
  ])("knows a Redis by %s", (url) => {
    expect(loadConfig({ REDIS_URL: url }).storage.redisUrl).toBe(url);
  });

  it("refuses keys that could not work, without showing them", () => {
    const ours = generateTicketKeys();
    const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
    const problems = [
      ...problemsOf({ TICKET_PRIVATE_KEY: "hunter2", TICKET_PUBLIC_KEY: ours.privateKeyPem }),
      ...problemsOf({ TICKET_PRIVATE_KEY: rsa.export({ type: "pkcs8", format: "pem" }).toString() }),
      ...problemsOf({ SECRETS_KEY: "hunter2" }),
    ];
    expect(problems.map((problem) => problem.replace(/^(\w+) is .*; (expected .*)$/s, "$1: $2"))).toEqual([
      "TICKET_PRIVATE_KEY: expected an Ed25519 private key in PEM",
      "TICKET_PUBLIC_KEY: expected one or more Ed25519 public keys in PEM",
      "TICKET_PRIVATE_KEY: expected an Ed25519 private key in PEM",
      "SECRETS_KEY: expected keyId:base64 of 32 bytes, several of them separated by commas",
    ]);
    expect(problems.join()).not.toMatch(/hunter2|MC4CAQ/);
  });

  it("refuses ticket keys that are no pair: no gateway would let anybody in", () => {
    const [ours, others] = [generateTicketKeys(), generateTicketKeys()];
    const env = { TICKET_PRIVATE_KEY: ours.privateKeyPem, TICKET_PUBLIC_KEY: others.publicKeyPem };
    expect(problemsOf(env)).toEqual([
      "TICKET_PUBLIC_KEY does not hold the public half of TICKET_PRIVATE_KEY",
    ]);
    expect(problemsOf({ ...env, TICKET_PUBLIC_KEY: ours.publicKeyPem })).toEqual([]);
    const both = `${others.publicKeyPem}${ours.publicKeyPem}`.trim().replaceAll("\n", " ");
    expect(problemsOf({ ...env, TICKET_PUBLIC_KEY: both })).toEqual([]);
  });

  it("takes an empty variable for one that is not set", () => {
    expect(loadConfig({ GATEWAY_PORT: "", REDIS_URL: "" }).http.gatewayPort).toBe(8090);
  });

  it("cannot be changed afterwards", () => {
    const config = loadConfig({});
    expect(Object.isFrozen(config) && Object.isFrozen(config.http)).toBe(true);
  });

  it("describes every variable once", () => {
    const names = configReference().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { description } of configReference()) expect(description).toMatch(/\.$/);
  });
});
