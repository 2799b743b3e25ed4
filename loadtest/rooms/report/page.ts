import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rangeChart } from "../../report/picture.ts";
import type { RoomResults, RoomRow } from "./results.ts";
import { markdownTable } from "./table.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PAGE = "docs/rooms.md";
const PICTURE = "docs/pictures/rooms.svg";
const CHART_TITLE = "From the caller's last word to the answer, median and 95th percentile";

/** Sections of the page; rows of other groups go under the first heading. */
const PARTS: readonly { readonly title: string; readonly groups: readonly string[] }[] = [
  { title: "The room", groups: ["quiet", "pink", "brown", "babble", "music", "speaker", "door", "keyboard"] },
  { title: "The agent's own voice out of the caller's loudspeaker", groups: ["echo"] },
  { title: "The line", groups: ["line"] },
  { title: "How people talk", groups: ["pause", "interjection"] },
  { title: "Callers who interrupt", groups: ["interruption"] },
  { title: "Broken vendors", groups: ["fault"] },
  { title: "With a real recognizer", groups: ["pocketsphinx"] },
];

/** Puts a run's tables between `page`'s marks; returns the page and its picture. */
export function updatedRooms(page: string, results: RoomResults): { page: string; picture: string } {
  const parts = PARTS.flatMap(({ title, groups }) => {
    const rows = results.rows.filter(({ group }) => groups.includes(group));
    return rows.length === 0 ? [] : [`### ${title}\n\n${markdownTable(rows)}`];
  });
  const made = [
    summaryOf(results),
    `![${CHART_TITLE}](pictures/rooms.svg)`,
    ...parts,
    provenanceLine(results),
  ];
  return {
    page: page.replace(
      /<!-- rooms -->\n[\s\S]*?<!-- end -->/,
      () => `<!-- rooms -->\n${made.join("\n\n")}\n<!-- end -->`,
    ),
    picture: rangeChart(CHART_TITLE, results.rows.filter(({ figures }) => figures.answered > 0).map(rangeOf)),
  };
}

/** Regenerates `docs/rooms.md` and its picture. */
export function writeRoomsPage(results: RoomResults): void {
  const path = join(ROOT, PAGE);
  const { page, picture } = updatedRooms(readFileSync(path, "utf8"), results);
  mkdirSync(dirname(join(ROOT, PICTURE)), { recursive: true });
  writeFileSync(join(ROOT, PICTURE), picture);
  writeFileSync(path, page);
}

function summaryOf({ rows }: RoomResults): string {
  const promised = rows.filter(({ isPromised }) => isPromised);
  const missed = promised.filter((row) => row.missed.length > 0);
  const list = missed.map(({ title, missed: what }) => `- ${title}: ${what.join(", ")}`);
  return `**${promised.length - missed.length} of ${promised.length} rows hold what is promised for them.**${
    list.length === 0 ? "" : ` Missed:\n\n${list.join("\n")}`
  }`;
}

function rangeOf({ title, figures, missed }: RoomRow) {
  const { responseP50Ms: low, responseP95Ms: high } = figures;
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
  return {
    label: title,
    low,
    high,
    note: `${seconds(low)} / ${seconds(high)} s`,
    isMissed: missed.length > 0,
  };
}

function provenanceLine(results: RoomResults): string {
  const { takenAt, commit, machine, versions, seconds, sideBySide, voices, missingVoices } = results;
  const { callersLateP99Ms, loadAverage } = results;
  const who = `Callers: ${voices.join(", ")}${missingVoices.length > 0 ? `; not installed: ${missingVoices.join(", ")}` : ""}.`;
  const where = `${machine.cpu} × ${machine.cores}, Linux ${machine.kernel}, Node ${versions.node}`;
  const how = `${sideBySide} calls side by side, ${seconds} s, load average ${loadAverage}, callers' clock late by ${callersLateP99Ms} ms (p99)`;
  return `<sub>${takenAt.slice(0, 16).replace("T", " ")} UTC, commit ${commit}, ${where}; ${how}. ${who}</sub>`;
}
