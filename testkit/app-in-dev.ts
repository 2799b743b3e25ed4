import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@parley/platform/cli/run.ts";
import type { Page } from "playwright-core";
import { expect, vi } from "vitest";
import { patientContext, sharedBrowser } from "./browser.ts";

export interface AppInDevOptions {
  /** Put into the manifest of a new app. */
  readonly manifest: object;
  /** Its `src/index.tsx`. */
  readonly source: string;
}

/** A new app, served by `parley app dev` with a mock of the dashboard. */
export class AppInDev {
  readonly #address: string;
  readonly close: () => Promise<void>;

  private constructor(address: string, close: () => Promise<void>) {
    this.#address = address;
    this.close = close;
  }

  static async start({ manifest: own, source }: AppInDevOptions): Promise<AppInDev> {
    const dir = await mkdtemp(join(tmpdir(), "parley-app-"));
    const app = join(dir, "an-app");
    const leaving = new AbortController();
    const terminal = { env: {}, signal: leaving.signal, err: { write: () => true } };
    await run(["app", "create", app], { ...terminal, out: { write: () => true } });
    const file = join(app, "platform.app.json");
    const manifest = JSON.parse(await readFile(file, "utf8")) as object;
    await writeFile(file, JSON.stringify({ ...manifest, ...own }));
    await writeFile(join(app, "src/index.tsx"), source);
    let said = "";
    const out = { write: (text: string) => (said += text) };
    const done = run(["app", "dev", app, "--port", "0"], { ...terminal, out });
    await vi.waitFor(() => expect(said).toContain("http://localhost:"), { timeout: 90_000 });
    return new AppInDev(/http:\/\/localhost:\d+/.exec(said)?.[0] ?? "", async () => {
      leaving.abort();
      await done;
      await rm(dir, { recursive: true, force: true });
    });
  }

  /** Shows the app until the work is done, after a script of the test's; an error of any script fails it. */
  async onPage(
    work: (page: Page) => Promise<void>,
    { script = "", search = "" }: { readonly script?: string; readonly search?: string } = {},
  ): Promise<void> {
    const context = await patientContext(await sharedBrowser());
    const faults: string[] = [];
    try {
      const page = await context.newPage();
      page.on("pageerror", ({ message }) => faults.push(message));
      page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
      await page.addInitScript(script);
      await page.goto(`${this.#address}/${search}`);
      await work(page);
    } finally {
      await context.close();
    }
    expect(faults).toEqual([]);
  }
}
