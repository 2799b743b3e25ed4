import { describe, expect, it } from "vitest";
import { readOptions } from "./options.ts";

describe("the load test's options", () => {
  it("have defaults for everything", () => {
    expect(readOptions([])).toMatchObject({ options: { seconds: 20, ramp: false, "brain-token-ms": 20 } });
  });

  it("are read from the command line", () => {
    expect(readOptions(["--calls", "200", "--seconds=60", "--ramp", "--html", "a.html"])).toMatchObject({
      options: { calls: 200, seconds: 60, ramp: true, html: "a.html" },
    });
  });

  it.each([
    [["--calls", "many"], "--calls"],
    [["--calls", "0"], "--calls"],
    [["--seconds", "1.5"], "--seconds"],
    [["--url", "ftp://x", "--api-key", "k", "--agent", "a"], "--url"],
    [["--url", "http://localhost:8080"], "--url, --api-key and --agent go together"],
    [["--fleet", "1"], "--fleet"],
    [["--fleet", "3", "--ramp"], "--ramp"],
    [["--fleet", "3", "--calls", "1000"], "--calls"],
    [["--cals", "3"], "--cals"],
    [["50"], "50"],
  ])("that are wrong are named: %j", (args, named) => {
    const read = readOptions(args);
    expect("problem" in read && read.problem).toContain(named);
  });
});
