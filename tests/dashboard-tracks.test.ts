import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import type { Track } from "@parley/shared/contracts/tracks.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goTo, heading, signIn, TestDashboard } from "../testkit/dashboard.ts";
import { isFine } from "../testkit/fine-page.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import type { TestPerson } from "../testkit/person.ts";
import { uploadTrack } from "../testkit/tracks.ts";

const WAIT = { timeout: 90_000 };
const TITLE = "Tracks";
const SECOND = Buffer.from(encodeWav(tone(8_000, 8_000), 8_000));

describe.runIf(needs("chromium"))("the page for tracks in a browser", () => {
  let dashboard: TestDashboard;
  beforeAll(async () => {
    dashboard = await TestDashboard.start();
  });
  afterAll(() => dashboard.close());

  const names = (page: Page) =>
    page.getByRole("region", { name: "List of tracks" }).getByRole("rowheader").allTextContents();
  const dialog = (page: Page) => page.getByRole("dialog");

  test("a file is uploaded under its name, listened to, its id copied, renamed and deleted", async () => {
    const { organization, developer } = await members();
    const page = await dashboard.openAs(developer.email, "/tracks");
    await heading(page, TITLE);
    await page.getByText("No tracks yet.").waitFor();
    await choose(page, { name: "hold-music.wav", buffer: SECOND });
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("hold-music");
    await dialog(page).getByRole("button", { name: "Upload" }).click();
    await page.getByRole("status").getByText("hold-music uploaded.").waitFor(WAIT);
    const [made] = await tracksOf(organization);
    expect(made).toMatchObject({ name: "hold-music", sampleRateHz: 8_000, sizeBytes: SECOND.length });
    await page.getByRole("row", { name: /^hold-music 0:01 16 kB/ }).waitFor();
    await page.getByText("1 of 50 tracks, 16 kB of 200 MB").waitFor();

    await page.context().grantPermissions(["clipboard-write"]);
    await page.getByRole("button", { name: "Copy id of hold-music" }).click();
    await expect.poll(() => pasted(page)).toBe(made?.id);

    await page.getByRole("button", { name: "Listen to hold-music" }).click();
    const player = page.getByRole("region", { name: "Player" });
    const played = () => player.locator("audio").evaluate((audio: HTMLAudioElement) => audio.currentTime);
    await expect.poll(played, WAIT).toBeGreaterThan(0.5);
    await player.getByRole("button", { name: "Close the player" }).click();
    expect(await page.locator("audio").count()).toBe(0);

    await page.getByRole("button", { name: "Rename hold-music" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Waiting");
    await page.keyboard.press("Enter");
    await expect.poll(() => names(page), WAIT).toEqual(["Waiting"]);
    await page.getByRole("button", { name: "Delete Waiting" }).click();
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await page.getByText("No tracks yet.").waitFor(WAIT);
    expect(await tracksOf(organization)).toEqual([]);
  });

  test("what is no 16-bit WAV is made one, for one ear and small enough for the phone", async () => {
    const { organization, developer } = await members();
    const page = await dashboard.openAs(developer.email, "/tracks");
    await choose(page, { name: "studio.wav", buffer: floatWav() });
    await dialog(page).getByRole("button", { name: "Upload" }).click();
    await page.getByText("studio uploaded.").waitFor(WAIT);
    expect(await tracksOf(organization)).toMatchObject([
      { name: "studio", sampleRateHz: 16_000, channels: 1, durationMs: 1_000, sizeBytes: 32_044 },
    ]);
  });

  test("what cannot be uploaded or deleted is told in plain words, and the dialog stays", async () => {
    const { organization, developer } = await members();
    const track = await uploadTrack(dashboard.api, { ...asOwner(organization), wav: SECOND, name: "Kept" });
    const page = await dashboard.openAs(developer.email, "/tracks");
    const alert = dialog(page).getByRole("alert");
    await choose(page, { name: "letter.mp3", buffer: Buffer.from("Dear all,") });
    await dialog(page).getByRole("button", { name: "Upload" }).click();
    await alert.getByText("This is no sound that your browser can read.").waitFor(WAIT);
    const long = Buffer.from(encodeWav(new Int16Array(660 * 8_000), 8_000));
    await page
      .getByLabel("Sound file")
      .setInputFiles({ name: "long.wav", mimeType: "audio/wav", buffer: long });
    await dialog(page).getByRole("button", { name: "Upload" }).click();
    await alert.getByText("It plays for 11 minutes; 10 are the most.").waitFor({ timeout: 90_000 });
    await page.keyboard.press("Escape");
    await hold(organization);
    await page.getByRole("button", { name: "Delete Kept" }).click();
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await alert.getByText("legal hold").waitFor(WAIT);
    expect(await tracksOf(organization)).toMatchObject([{ id: track.id }]);
  });

  test("a library that is full says so before anything is sent", async () => {
    const { organization, developer } = await members();
    const page = await dashboard.openAs(developer.email, "/keys");
    await heading(page, "API keys");
    const path = `/api/orgs/${organization.orgId}/ambient-tracks`;
    let sent = 0;
    await page.route(`**${path}*`, async (route) => {
      if (route.request().method() === "POST") sent += 1;
      const data = { tracks: [], total: 50, usedBytes: 0, maxBytes: 200 };
      await route.fulfill({ json: { success: true, data } });
    });
    await goTo(page, "Tracks");
    await choose(page, { name: "one-more.wav", buffer: SECOND });
    await dialog(page).getByRole("button", { name: "Upload" }).click();
    await dialog(page).getByRole("alert").getByText("There are 50 tracks already.").waitFor(WAIT);
    expect(sent).toBe(0);
  });

  test("a viewer listens, and is offered nothing that changes something", async () => {
    const { organization, viewer } = await members();
    await uploadTrack(dashboard.api, { ...asOwner(organization), wav: SECOND, name: "Kept" });
    const page = await dashboard.openAs(viewer.email, "/tracks");
    await page.getByRole("button", { name: "Listen to Kept" }).waitFor();
    await page.getByText("Your role here is viewer.").waitFor();
    expect(await page.getByRole("button", { name: /Upload|Rename|Delete/ }).count()).toBe(0);
  });

  test.for([1280, 390])("axe finds nothing in light and in dark, and all fits: %i wide", async (width) => {
    const { organization, developer } = await members();
    for (const name of ["Hold music", "Opening hours, as they are said in the holidays", "Beep"])
      await uploadTrack(dashboard.api, { ...asOwner(organization), wav: SECOND, name });
    const page = await dashboard.open("/tracks", { width });
    await signIn(page, developer.email);
    await page.getByRole("button", { name: "Listen to Hold music" }).click();
    await page.locator("audio").waitFor();
    await isFine(page, "the page");
    await page.getByRole("button", { name: "Delete Beep" }).click();
    await dialog(page).waitFor();
    await isFine(page, "the question");
    await page.keyboard.press("Escape");
    await choose(page, { name: "letter.mp3", buffer: Buffer.from("Dear all,") });
    await dialog(page).getByRole("button", { name: "Upload" }).click();
    await dialog(page).getByRole("alert").waitFor();
    await isFine(page, "an upload that was refused");
  });

  async function members(): Promise<{
    organization: TestOrganization;
    developer: TestPerson;
    viewer: TestPerson;
  }> {
    const organization = await dashboard.api.createOrganization();
    const { orgId } = organization;
    const developer = await memberOnly(dashboard.api, orgId, "developer");
    return { organization, developer, viewer: await memberOnly(dashboard.api, orgId, "viewer") };
  }

  async function tracksOf({ orgId, keys }: TestOrganization): Promise<Track[]> {
    const answer = await dashboard.api.call("GET", `/api/orgs/${orgId}/ambient-tracks`, { key: keys.viewer });
    return (answer.body.data as { tracks: Track[] }).tracks;
  }

  async function hold({ orgId }: TestOrganization): Promise<void> {
    const orgs = dashboard.api.database.db.updateTable("organizations").set({ legal_hold: true });
    await orgs.where("id", "=", orgId).execute();
  }
});

/** What pasting gives: the page's own policy forbids its scripts to read the clipboard. */
async function pasted(page: Page): Promise<string> {
  const field = await page.evaluateHandle(() =>
    document.body.appendChild(document.createElement("textarea")),
  );
  await field.focus();
  await page.keyboard.press("ControlOrMeta+V");
  const text = await field.evaluate((area) => area.value);
  await field.evaluate((area) => area.remove());
  return text;
}

async function choose(page: Page, file: { name: string; buffer: Buffer }): Promise<void> {
  await page.getByRole("button", { name: "Upload track" }).click();
  await page.getByLabel("Sound file").setInputFiles({ ...file, mimeType: "application/octet-stream" });
}

function asOwner({ orgId, keys }: TestOrganization): { orgId: string; key: string } {
  return { orgId, key: keys.owner };
}

function tone(samples: number, rateHz: number): Int16Array {
  return Int16Array.from({ length: samples }, (_, at) => 8_000 * Math.sin((2 * Math.PI * 440 * at) / rateHz));
}

/** A second of stereo as studios keep it: floats, 48,000 a second. */
function floatWav(): Buffer {
  const rateHz = 48_000;
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + rateHz * 8, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(3, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(rateHz, 24);
  header.writeUInt32LE(rateHz * 8, 28);
  header.writeUInt16LE(8, 32);
  header.writeUInt16LE(32, 34);
  header.write("data", 36);
  header.writeUInt32LE(rateHz * 8, 40);
  return Buffer.concat([header, Buffer.from(new Float32Array(rateHz * 2).fill(0.25).buffer)]);
}
