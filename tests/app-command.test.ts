import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { run } from "@parley/platform/cli/run.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agree } from "../testkit/apps.ts";
import { patientContext, sharedBrowser } from "../testkit/browser.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import { needs } from "../testkit/needs.ts";
import { TestPerson } from "../testkit/person.ts";

/** Shows what the page around it gives, and what it lets out. */
const PROBE = `import "./styles.css";
import { mount, usePlatform, useTheme, useUser } from "platform/react";
import { useEffect, useState } from "react";

function Probe() {
  const [said, say] = useState<string[]>([]);
  const { onActivate } = usePlatform();
  useEffect(() => onActivate((id) => {
    let evals = "eval ran";
    try { (0, eval)("1"); } catch { evals = "eval refused"; }
    fetch("https://example.com/").then(() => "fetch left", () => "fetch refused")
      .then((fetched) => say([id, evals, fetched]));
  }), [onActivate]);
  return <p className="mark">{[useUser().email, useTheme(), ...said].join(", ")}</p>;
}

mount(Probe);
`;

let dir: string;
let app: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "parley-app-"));
  app = join(dir, "my-notes");
  await parley("app", "create", app);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command that ends by itself. */
async function parley(...args: string[]): Promise<Said> {
  const { done } = start(args, new AbortController().signal);
  return done;
}

function start(args: readonly string[], signal: AbortSignal, env: Record<string, string> = {}) {
  let out = "";
  let err = "";
  const done = run(args, {
    env,
    signal,
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  }).then((code): Said => ({ code, out, err }));
  return { done, out: () => out, err: () => err };
}

describe("parley app", () => {
  it("creates an app that can be published as it is, and writes over nobody's folder", async () => {
    expect(JSON.parse(await readFile(join(app, "platform.app.json"), "utf8"))).toMatchObject({
      $schema: "./platform.app.schema.json",
      id: "my-notes",
      name: "My notes",
    });
    expect(await parley("app", "validate", app)).toMatchObject({
      code: 0,
      out: "My notes 0.1.0 can be published.\n",
    });
    expect(await parley("app", "create", app)).toMatchObject({
      code: 2,
      err: expect.stringContaining("is not empty"),
    });
    expect(await parley("app", "create", join(dir, "No Name"))).toMatchObject({ code: 2 });
    await writeFile(join(dir, "a-file"), "");
    // No process may make a folder in /proc, and Node's own way to make several would try forever.
    for (const where of ["a-file", "a-file/within", "/proc/an-app", "/proc/more/an-app"])
      expect(await parley("app", "create", resolve(dir, where))).toMatchObject({
        code: 2,
        err: expect.stringContaining("cannot be created"),
      });
  });

  it("creates an app that finds its types wherever it is, and whose mistakes they show", async () => {
    const compiler = join(dirname(fileURLToPath(import.meta.resolve("typescript/package.json"))), "bin/tsc");
    const compile = (folder: string) =>
      promisify(execFile)(process.execPath, [compiler, "-p", folder]).catch(
        (error: { stdout: string }) => error,
      );
    expect((await compile(app)).stdout).toBe("");
    const wrong = join(dir, "mistaken");
    await cp(app, wrong, { recursive: true });
    const source = join(wrong, "src/index.tsx");
    await writeFile(source, `${await readFile(source, "utf8")}\nmount(1);\n`);
    expect((await compile(wrong)).stdout).toContain("not assignable to parameter of type 'ComponentType");
  });

  it("says what publishing would refuse, with file and line", async () => {
    const wrong = join(dir, "wrong");
    await cp(app, wrong, { recursive: true });
    const path = join(wrong, "platform.app.json");
    const manifest = await readFile(path, "utf8");
    await writeFile(path, manifest.replace('"page_id": "call"', '"page_id": "none"'));
    const said = await parley("app", "validate", wrong);
    expect(said.code).toBe(2);
    expect(said.out).toMatch(/^platform\.app\.json:\d+:\d+ {2}error PAGE_UNKNOWN/m);
    await writeFile(path, manifest.replace(/^ {2}"name": .*\n/m, ""));
    expect((await parley("app", "validate", wrong)).out).toBe(
      "platform.app.json:1:1  error MANIFEST_INVALID  name is required\n",
    );
    await writeFile(join(wrong, "src/index.tsx"), "const = 1");
    expect(await parley("app", "validate", wrong)).toMatchObject({
      code: 2,
      err: expect.stringContaining("cannot be built"),
    });
  });

  it.each([
    [["app"], "Name an app command"],
    [["app", "create"], "Name a folder"],
    [["app", "dev", "--port", "x"], "--port needs a number"],
    [["app", "dev", "--port", ""], "--port needs a number"],
    [["app", "dev", "--forward", "x"], "has no option --forward"],
    [["app", "validate", "--json"], "app validate has no option --json"],
    [["app", "create", "my-app", "--port", "1"], "app create has no option --port"],
    [["app", "dev", "--no-activate"], "app dev has no option --no-activate"],
    [["app", "create", fileURLToPath(import.meta.url)], "is not a valid app name"],
    [["app", "validate", "/nowhere"], "There is no platform.app.json"],
  ])("%s says what to change", async (args, said) => {
    const answer = await parley(...args);
    expect([answer.code, answer.err]).toEqual([2, expect.stringContaining(said)]);
  });

  it("publishes with an API key, and the app is there to be installed", async () => {
    const api = await TestControlApi.start();
    try {
      const person = await TestPerson.register(api);
      const path = `/api/orgs/${person.orgId}/api-keys`;
      const made = await person.call("POST", path, { name: "build", role: "developer" });
      const { secret } = made.body.data as { secret: string };
      const env = { PARLEY_URL: api.api.baseUrl, PARLEY_API_KEY: secret };
      const { done } = start(["app", "publish", app], new AbortController().signal, env);
      const said = await done;
      expect([said.code, said.err]).toEqual([0, ""]);
      const id = /\/apps\/(app_\w+)/.exec(said.out)?.[1] ?? "";
      await agree(person, id, { version: "0.1.0", scopes: ["objects:note", "calls:read"] });
      const again = start(["app", "publish", app], new AbortController().signal, env);
      expect(await again.done).toMatchObject({ code: 2, err: expect.stringContaining("0.1.0") });
    } finally {
      await api.close();
    }
  });
});

describe.runIf(needs("chromium"))("parley app dev", () => {
  it("serves the app with a mock of the dashboard, and a change is seen without a reload by hand", async () => {
    const leaving = new AbortController();
    const dev = start(["app", "dev", app, "--port", "0"], leaving.signal);
    await expect.poll(dev.out, { timeout: 90_000 }).toContain("http://localhost:");
    const address = /http:\/\/localhost:\d+/.exec(dev.out())?.[0] ?? "";
    const script = await fetch(`${address}/index.js`);
    expect(script.headers.get("access-control-allow-origin")).toBe("*");
    const context = await patientContext(await sharedBrowser());
    try {
      const page = await context.newPage();
      await page.goto(`${address}/?page=call&callId=ses_1`);
      await page.getByLabel("Note").fill("Call back on Monday");
      await page.getByRole("button", { name: "Add note" }).click();
      await page.getByText("Call back on Monday").waitFor();
      const source = join(app, "src/index.tsx");
      await writeFile(source, (await readFile(source, "utf8")).replace("Add note", "Keep note"));
      await page.getByRole("button", { name: "Keep note" }).waitFor();
      await page.getByText("Call back on Monday").waitFor();
    } finally {
      await context.close();
      leaving.abort();
    }
    expect((await dev.done).code).toBe(0);
  });

  it("shows an app as the dashboard does: its styles if declared, the theme, its user, and no way out", async () => {
    const probe = join(dir, "probe-app");
    await parley("app", "create", probe);
    const file = join(probe, "platform.app.json");
    const manifest = JSON.parse(await readFile(file, "utf8")) as { ui: object };
    await writeFile(file, JSON.stringify({ ...manifest, scopes: ["user:profile"] }));
    await writeFile(join(probe, "src/styles.css"), ".mark { color: rgb(1, 2, 3) }");
    await writeFile(join(probe, "src/index.tsx"), PROBE);
    const leaving = new AbortController();
    const dev = start(["app", "dev", probe, "--port", "0"], leaving.signal);
    await expect.poll(dev.out, { timeout: 90_000 }).toContain("http://localhost:");
    const address = /http:\/\/localhost:\d+/.exec(dev.out())?.[0] ?? "";
    const context = await patientContext(await sharedBrowser(), { colorScheme: "dark" });
    try {
      const page = await context.newPage();
      await page.goto(`${address}/?activate=help`);
      await page.getByText("dev@example.com, dark, help, eval refused, fetch refused").waitFor();
      await page.emulateMedia({ colorScheme: "light" });
      await page.getByText("dev@example.com, light").waitFor();
      const color = () => page.locator(".mark").evaluate((element) => getComputedStyle(element).color);
      expect(await color()).not.toBe("rgb(1, 2, 3)");
      expect(dev.err()).toContain("STYLES_UNDECLARED");
      await writeFile(file, JSON.stringify({ ...manifest, ui: { ...manifest.ui, styles: "index.css" } }));
      await expect.poll(color, { timeout: 90_000 }).toBe("rgb(1, 2, 3)");
    } finally {
      await context.close();
      leaving.abort();
    }
    expect((await dev.done).code).toBe(0);
  });
});
