import { describe, expect, it } from "vitest";
import { parseRedisUrl } from "./redis-url.ts";

describe("a Redis URL", () => {
  it.each(["redis://127.0.0.1:6379", "rediss://user:pw@redis.example:6380/2"])(
    "may name one server: %s",
    (url) => {
      expect(parseRedisUrl(url)).toEqual({ kind: "single", url });
    },
  );

  it("may name the first hosts of a cluster, with ports or without", () => {
    expect(parseRedisUrl("redis+cluster://h1:7000,h2,[::1]:7002,[fd00::1]")).toEqual({
      kind: "cluster",
      hosts: [
        { host: "h1", port: 7000 },
        { host: "h2", port: 6379 },
        { host: "::1", port: 7002 },
        { host: "fd00::1", port: 6379 },
      ],
      masterName: "mymaster",
      auth: {},
    });
  });

  it("may name sentinels, whom they watch, and how to sign in", () => {
    expect(parseRedisUrl("redis+sentinel://app:p%40ss%3Aword@s1,s2:26380/main")).toEqual({
      kind: "sentinel",
      hosts: [
        { host: "s1", port: 26379 },
        { host: "s2", port: 26380 },
      ],
      masterName: "main",
      auth: { username: "app", password: "p@ss:word" },
    });
    expect(parseRedisUrl("redis+sentinel://:pw@s1")).toMatchObject({ auth: { password: "pw" } });
  });

  it.each([
    "http://x",
    "redis://",
    "redis+cluster://",
    "redis+cluster://h1,,h2",
    "redis+cluster://h1:port",
    "redis+cluster://h1:70000",
    "redis+cluster://%zz:pw@h1",
    "redis+other://h1",
    "",
  ])("is refused when nothing can be made of it: %s", (url) => {
    expect(parseRedisUrl(url)).toBeUndefined();
  });
});
