/** The sections of an agent's page in order; each has its own address. */
export const SECTIONS = [
  { id: "brain", name: "Brain", roots: ["name", "brain"] },
  { id: "flow", name: "Flow", roots: [] },
  { id: "speech", name: "Speech", roots: ["tts", "sound", "stt", "hearing", "messaging"] },
  { id: "opening", name: "Opening", roots: ["firstResponse", "variables"] },
  { id: "turns", name: "Turn-taking", roots: ["turnTaking"] },
  {
    id: "limits",
    name: "Limits",
    roots: ["waiting", "outage", "silence", "maxDurationMs", "voicemail", "screening", "recording"],
  },
  { id: "analysis", name: "After the call", roots: ["postCallAnalysis", "memory"] },
  { id: "rehearsals", name: "Rehearsals", roots: ["rehearsals"] },
  { id: "access", name: "Numbers & access", roots: ["apiAccess"] },
  { id: "copilot", name: "Copilot", roots: [] },
  { id: "try", name: "Try it", roots: [] },
  { id: "versions", name: "Versions", roots: [] },
] as const satisfies readonly { id: string; name: string; roots: readonly string[] }[];

export type SectionId = (typeof SECTIONS)[number]["id"];

/** The section at an address; the first one by default. */
export function sectionAt(address: string | undefined): SectionId {
  return SECTIONS.find(({ id }) => id === address)?.id ?? "brain";
}

/** The section that shows a setting. */
export function sectionOf(path: string): SectionId {
  if (path === "brain.flow" || path.startsWith("brain.flow.")) return "flow";
  const root = path.split(".")[0] ?? "";
  return SECTIONS.find(({ roots }) => roots.some((one) => one === root))?.id ?? "brain";
}
