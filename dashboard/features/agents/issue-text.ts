import type { z } from "zod";
import { timeText, wordsOf } from "./agent-labels.ts";

/** What to change when the schema refuses a value at a path. */
export function agentIssueText(path: string, issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined || value === "") return "This field is required.";
  if (issue.code === "too_small") return tooSmall(path, issue);
  if (issue.code === "too_big") return tooBig(path, issue);
  if (issue.code === "invalid_format" && issue.format === "url")
    return "Enter a full URL, such as https://example.com/agent.";
  if (issue.code === "invalid_format" && issue.format === "e164")
    return "Enter a number with its country code, such as +12025550123.";
  if (issue.code === "invalid_type" && issue.expected === "int") return "Enter a whole number.";
  if (issue.code === "invalid_type" && issue.expected === "number") return "Enter a number.";
  if (issue.code === "invalid_type" && issue.expected === "record") return "Enter a JSON object: { … }.";
  return sentence(issue.message);
}

function tooSmall(path: string, { origin, minimum }: z.core.$ZodIssueTooSmall): string {
  if (origin === "string" && minimum === 1) return "This field is required.";
  if (origin === "string") return `Enter at least ${minimum} characters.`;
  if (origin === "array") return `Add at least ${minimum}.`;
  return `At least ${numberText(path, Number(minimum))}.`;
}

function tooBig(path: string, { origin, maximum }: z.core.$ZodIssueTooBig): string {
  if (origin === "string") return `At most ${Number(maximum).toLocaleString("en")} characters.`;
  if (origin === "array") return `At most ${maximum} of them.`;
  return `At most ${numberText(path, Number(maximum))}.`;
}

function numberText(path: string, value: number): string {
  const { unit } = wordsOf(path);
  return unit ? timeText(value, unit) : value.toLocaleString("en");
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? "" : "."}`;
}
