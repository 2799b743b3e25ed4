import type { PhoneStep } from "@parley/control-api/channels/carriers/loopback/script.ts";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { joined, silence } from "./audio-fixtures.ts";
import { TestCallee } from "./callee.ts";
import { signIn, wayToPages } from "./dashboard.ts";
import { headlessChromiumPath } from "./needs.ts";
import { builtPages } from "./pages.ts";
import type { TestPerson } from "./person.ts";
import { TestSoftphones } from "./softphones.ts";
import { flite } from "./speech.ts";
import { TalkBrowser } from "./talk-browser.ts";

export const WAIT = { timeout: 90_000 };
/** Polled slowly: each look examines all audio so far, on the machine that carries the call. */
export const HEARING = { ...WAIT, interval: 250 };
export const RATE_HZ = 16_000;
/** What the person at the page repeats into the microphone. */
export const SAID = "I would like to order a table for two people tomorrow evening";
export const GREETING = "Good morning. This is the bakery. We have fresh bread and coffee today.";
export const SAYS: PhoneStep = { do: "say", text: GREETING };
export const PATH = "/softphone";

/**
 * Copies the player's output to the loudspeaker sample by sample; the microphone's own context runs at
 * another rate. Each block is encoded once, on arrival: encoding all of them at every look would delay the
 * page's next block.
 */
const TAP = `
  const played = [];
  const encoded = (block) => {
    const samples = Int16Array.from(block, (sample) => sample * 32767);
    return btoa(String.fromCharCode(...new Uint8Array(samples.buffer)));
  };
  globalThis.playedHere = () => played.join();
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode && this.context.sampleRate === ${RATE_HZ}) {
      const tap = this.context.createScriptProcessor(4096, 1, 1);
      tap.onaudioprocess = ({ inputBuffer }) => played.push(encoded(inputBuffer.getChannelData(0)));
      connect.call(this, tap);
      connect.call(tap, target);
    }
    return connect.call(this, target, ...rest);
  };
`;

/** A member at softphone pages in a real browser, whose microphone works or is refused. */
export class TestSoftphonePages {
  readonly softphones: TestSoftphones;
  readonly agent: TestCallee;
  readonly #browsers: Readonly<Record<"speaking" | "refused", TalkBrowser>>;

  private constructor(parts: {
    softphones: TestSoftphones;
    agent: TestCallee;
    browsers: Record<"speaking" | "refused", TalkBrowser>;
  }) {
    this.softphones = parts.softphones;
    this.agent = parts.agent;
    this.#browsers = parts.browsers;
  }

  static async start(): Promise<TestSoftphonePages> {
    const softphones = await TestSoftphones.start({
      resumeWindowMs: 15_000,
      pagesDir: await builtPages(),
    });
    const { api, organization } = softphones.telephony;
    const agent = await TestCallee.create(api, {
      orgId: organization.orgId,
      key: organization.keys.developer,
    });
    const executablePath = headlessChromiumPath() ?? "";
    const speech = await flite(SAID);
    const again = Array.from({ length: 24 }, () => [speech, silence(1_500)]).flat();
    const speaking = await TalkBrowser.launch({
      executablePath,
      microphone: joined(silence(2_000), ...again),
    });
    const refused = await TalkBrowser.launch({ executablePath, microphone: "refused" });
    return new TestSoftphonePages({ softphones, agent, browsers: { speaking, refused } });
  }

  /** Signed in as the member with a number unless another is named. Errors in the page's console fail the test. */
  async open(
    path = PATH,
    context: BrowserContextOptions = {},
    microphone: "speaking" | "refused" = "speaking",
    who: Pick<TestPerson, "email"> = this.agent.person,
  ): Promise<Page> {
    const { baseUrl } = this.softphones.telephony.api.api;
    const page = await this.#browsers[microphone].open(baseUrl + path, context, TAP);
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    // The page asks before it is left in mid-call.
    page.on("dialog", (dialog) => void dialog.accept());
    onTestFinished(async () => {
      await page.context().close();
      expect(faults).toEqual([]);
    });
    await signIn(page, who.email);
    // Later pages are loaded afresh, which would drop what a test puts into the page.
    await wayToPages(page).waitFor(WAIT);
    return page;
  }

  async sessionOf(to: string): Promise<string> {
    const { session_id: sessionId } = await this.softphones.telephony.api.database.db
      .selectFrom("calls")
      .select("session_id")
      .where("to_number", "=", to)
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    return sessionId;
  }

  async close(): Promise<void> {
    for (const browser of Object.values(this.#browsers)) await browser.close();
    await this.softphones.close();
  }
}

/** Resolves when the page has the numbers to call from: until then, it holds what is called. */
export async function ownNumbersLoaded(page: Page): Promise<void> {
  const first = page.getByLabel("Call from").locator("option").first();
  await first.waitFor({ ...WAIT, state: "attached" });
}

export async function dial(page: Page, to: string): Promise<void> {
  await ownNumbersLoaded(page);
  await page.getByLabel("Number to call").fill(to);
  await page.keyboard.press("Enter");
}

/** Types the number and calls; resolves when the phone is answered. */
export async function call(page: Page, to: string): Promise<void> {
  await dial(page, to);
  await connected(page);
}

export async function connected(page: Page): Promise<void> {
  await panel(page).getByText("Connected", { exact: true }).waitFor(WAIT);
}

export const panel = (page: Page) => page.getByRole("region", { name: "Call", exact: true });
export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
export const ending = (page: Page) => page.getByRole("region", { name: "The last call" });

/** All audio the page's loudspeaker has played. */
export async function played(page: Page): Promise<Int16Array> {
  const blocks = (await page.evaluate<string>("playedHere()")).split(",");
  const bytes = Buffer.concat(blocks.map((block) => Buffer.from(block, "base64")));
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** Saves a screenshot in the folder named by PICTURES, for people who change the page. */
export async function picture(page: Page, name: string): Promise<void> {
  const directory = process.env.PICTURES;
  if (directory) await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true });
}
