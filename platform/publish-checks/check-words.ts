import { refusalOfWords } from "../manifest/drawn-words.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { Problem, ProblemCode } from "./problem.ts";

type Path = readonly (string | number)[];

/** Checks what the dashboard draws of an app in its own voice. */
export function wordProblems(
  manifest: Manifest,
  at: (code: ProblemCode, message: string, path: Path) => Problem,
): Problem[] {
  return drawn(manifest).flatMap(([text, path]) => {
    const refusal = text === undefined ? undefined : refusalOfWords(text);
    return refusal === undefined ? [] : [at("MANIFEST_INVALID", `${path.join(".")} ${refusal}`, path)];
  });
}

function drawn({ name, description, ui, settings = [] }: Manifest): [text: string | undefined, path: Path][] {
  return [
    [name, ["name"]],
    // The only text that may have paragraphs.
    [description?.replaceAll(/[\n\t]/g, " ") || undefined, ["description"]],
    ...ui.pages.flatMap(({ title, group }, i): [string | undefined, Path][] => [
      [title, ["ui", "pages", i, "title"]],
      [group, ["ui", "pages", i, "group"]],
    ]),
    ...(ui.extensions ?? []).map(({ title }, i): [string, Path] => [title, ["ui", "extensions", i, "title"]]),
    ...(ui.contributions ?? []).map(({ label }, i): [string, Path] => [
      label,
      ["ui", "contributions", i, "label"],
    ]),
    ...settings.map(({ label }, i): [string, Path] => [label, ["settings", i, "label"]]),
  ];
}
