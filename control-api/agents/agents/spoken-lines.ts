import type { AgentConfig } from "@parley/shared/contracts/agents.ts";
import { DEFAULT_LINES, inLanguage } from "@parley/shared/contracts/default-lines.ts";
import { resolvePlaceholders } from "@parley/shared/variables/placeholders.ts";

/** Settings with any kind of brain. */
type WithLines = Omit<AgentConfig, "brain"> & { readonly brain: Pick<AgentConfig["brain"], "fallbackLine"> };
type Variables = Readonly<Record<string, string>>;

/** The limit for a configured line; variables can make a line longer. */
const MAX_LINE_CHARS = 4_000;
const MAX_SHORT_LINE_CHARS = 1_000;

/**
 * A configured line as it is spoken in a call, with `{name}` and `{{name}}` replaced by variables. Undefined when there
 * is no line, or nothing is left of it.
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
 * The settings of a call's plan with all lines as they are spoken; default lines are in the agent's language.
 * `firstResponse` replaces the agent's own.
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
