import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { joined, silence, wavFile } from "./audio-fixtures.ts";
import { patientContext } from "./browser.ts";
import { headlessChromiumPath } from "./needs.ts";
import { flite } from "./speech.ts";

export interface TalkBrowserOptions {
  /** Path of Chromium. */
  readonly executablePath: string;
  /** What the fake microphone hears, once: 16 kHz mono. `refused`: the person denies access. */
  readonly microphone: Int16Array | "refused";
}

/** A headless Chromium with a fake microphone. */
export class TalkBrowser {
  readonly #browser: Browser;
  readonly #directory: string;

  private constructor(browser: Browser, directory: string) {
    this.#browser = browser;
    this.#directory = directory;
  }

  static async launch({ executablePath, microphone }: TalkBrowserOptions): Promise<TalkBrowser> {
    const directory = await mkdtemp(join(tmpdir(), "parley-talk-"));
    const browser = await chromium.launch({
      executablePath,
      args: [
        "--no-sandbox",
        "--autoplay-policy=no-user-gesture-required",
        "--use-fake-device-for-media-stream",
        ...(await microphoneArgs(microphone, directory)),
      ],
    });
    return new TalkBrowser(browser, directory);
  }

  /** One whose microphone hears a question after the time of a greeting, and nothing more. */
  static async asking(question: string): Promise<TalkBrowser> {
    const microphone = joined(silence(10_000), await flite(question), silence(60_000));
    return TalkBrowser.launch({ executablePath: headlessChromiumPath() ?? "", microphone });
  }

  /** Opens the page in its own context; `before` runs ahead of the page's scripts. */
  async open(url: string, context: BrowserContextOptions = {}, before?: string): Promise<Page> {
    const page = await (await patientContext(this.#browser, context)).newPage();
    if (before !== undefined) await page.addInitScript({ content: before });
    await page.goto(url);
    return page;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

async function microphoneArgs(microphone: Int16Array | "refused", directory: string): Promise<string[]> {
  if (microphone === "refused") return ["--use-fake-ui-for-media-stream=deny"];
  const path = join(directory, "microphone.wav");
  await writeFile(path, wavFile(microphone));
  return ["--use-fake-ui-for-media-stream", `--use-file-for-fake-audio-capture=${path}%noloop`];
}
