import type { BrowserContext, Frame, Page } from "playwright-core";
import { expect } from "vitest";
import { installApp, type TestApp, uninstallApp } from "./apps.ts";
import { type AttackersListener, openAttackersListener } from "./attackers-listener.ts";
import { patientContext, sharedBrowser } from "./browser.ts";
import { signIn, TestDashboard } from "./dashboard.ts";
import { TestPerson } from "./person.ts";

/** Long enough for whatever leaves at once; the last attempt of each attack is awaited before. */
const SETTLE_MS = 300;
const WAIT_MS = 90_000;

/** Apps that attack the dashboard they are installed in, and a listener that hears what gets out. */
export class HostileApps {
  readonly dashboard: TestDashboard;
  readonly listener: AttackersListener;
  readonly person: TestPerson;
  /** The page of the last one. */
  context: BrowserContext | undefined;
  /** How many there were; `hostile-{made}` is the last one's id. */
  made = 0;
  #installed: string | undefined;

  private constructor(dashboard: TestDashboard, listener: AttackersListener, person: TestPerson) {
    this.dashboard = dashboard;
    this.listener = listener;
    this.person = person;
  }

  static async start(): Promise<HostileApps> {
    const dashboard = await TestDashboard.start();
    const listener = await openAttackersListener();
    return new HostileApps(dashboard, listener, await TestPerson.register(dashboard.api));
  }

  /** Closes the page of the last one, and uninstalls it: what one does to a page of the next would be taken for its. */
  async leave(): Promise<void> {
    await this.context?.close();
    this.context = undefined;
    if (this.#installed !== undefined) await uninstallApp(this.person, this.#installed);
    this.#installed = undefined;
  }

  async close(): Promise<void> {
    await this.dashboard.close();
    await this.listener.close();
  }

  /** Publishes a script as an app, installs it and opens its page, in the shared browser or in another one. */
  async run(
    script: string,
    app: TestApp = {},
    newContext: () => Promise<BrowserContext> = async () => patientContext(await sharedBrowser()),
  ): Promise<{ page: Page; frame: () => Frame | undefined }> {
    this.made += 1;
    const appId = await installApp(this.person, { id: `hostile-${this.made}`, script, ...app });
    this.#installed = appId;
    this.context = await newContext();
    const page = await this.context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    await page.goto(this.dashboard.address(`/apps/${appId}/pages/panel`));
    await signIn(page, this.person.email);
    const frame = (): Frame | undefined => page.frames().find((one) => one !== page.mainFrame());
    return { page, frame };
  }

  /** Runs attacks, each the body of a function; gives what each came to. `@@` is the listener's address. */
  async attack(attacks: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const tries = Object.entries(attacks).map(
      ([name, code]) => `attempt(${JSON.stringify(name)}, async () => { ${code} })`,
    );
    const { page, frame } = await this.run(
      `const URL_ = ${JSON.stringify(this.listener.url)}; const out = {};
       const late = () => new Promise((done) => setTimeout(done, 1000, "no answer"));
       const attempt = async (name, code) => {
         try { out[name] = String(await Promise.race([code(), late()])); }
         catch (error) { out[name] = "threw " + error.name; }
       };
       await Promise.all([${tries.join(",\n").replaceAll("@@", this.listener.url)}]);
       const said = document.createElement("pre"); said.id = "said"; said.textContent = JSON.stringify(out);
       document.getElementById("root").append(said);`,
    );
    const said = page.frameLocator("iframe").locator("#said");
    await said.waitFor({ state: "attached" });
    const results: Record<string, string> = JSON.parse((await said.textContent()) ?? "{}");
    await page.waitForTimeout(SETTLE_MS);
    expect(frame()).toBeDefined();
    return results;
  }

  /** A browser opens a connection to where a frame wants to go before it asks its policies; nothing is said on it. */
  saidSince(before: number): string[] {
    return this.listener.heard.slice(before).filter((one) => one !== "a connection");
  }
}
