import type { AgentConfig } from "@parley/shared/contracts/agents.ts";
import { DEFAULT_LINES, inLanguage } from "@parley/shared/contracts/default-lines.ts";
import { resolvePlaceholders } from "@parley/shared/variables/placeholders.ts";

/** Settings, whatever their brain is. */
type WithLines = Omit<AgentConfig, "brain"> & { readonly brain: Pick<AgentConfig["brain"], "fallbackLine"> };
type Variables = Readonly<Record<string, string>>;

/** As long as a line may be that is configured; variables can make it longer. */
const MAX_LINE_CHARS = 4_000;
const MAX_SHORT_LINE_CHARS = 1_000;

/**
 * A line that an agent's owner wrote, as it is spoken in a call: `{name}` and `{{name}}` are its variables. Undefined
 * when there is none, or nothing is left of it.
 */
export function spokenLine(
  line: string | undefined,
  variables: Variables,
  maxChars: number = MAX_LINE_CHARS,
): string | undefined {
  const spoken = resolvePlaceholders(line ?? "", variables).slice(0, maxChars);
  return spoken === "" ? undefined : spoken;
}

/**
 * The settings of a call's plan with all their lines as they are spoken, those that nobody changed in the agent's language;
 * `firstResponse` in the place of the agent's.
 */
export function withSpokenLines<T extends WithLines>(
  settings: T,
  {
    firstResponse = settings.firstResponse,
    variables,
  }: { firstResponse: string | undefined; variables: Variables },
) {
  const { silence, waiting, outage, brain } = settings;
  const language = settings.stt[0]?.language ?? "";
  const short = (line: string): string | undefined =>
    spokenLine(inLanguage(line, language), variables, MAX_SHORT_LINE_CHARS);
  return {
    ...settings,
    firstResponse: spokenLine(firstResponse, variables),
    silence: { ...silence, prompts: silence.prompts.flatMap((prompt) => short(prompt) ?? []) },
    waiting: {
      ...waiting,
      line: short(waiting.line) ?? "",
      againLine: short(waiting.againLine) ?? "",
    },
    outage: { ...outage, hearingLine: short(outage.hearingLine) ?? "" },
    brain: {
      ...(brain as T["brain"]),
      fallbackLine: short(brain.fallbackLine) ?? inLanguage(DEFAULT_LINES.fallback, language),
    },
  };
}
