import { type FormEvent, useState } from "react";
import { reasonOf } from "../api/api-error.ts";

export interface Submit {
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Runs the action without a form. */
  readonly run: () => Promise<void>;
}

/** Runs an action once at a time and keeps the reason it failed; `action` receives the form's fields. */
export function useSubmit(action: (fields: FormData) => Promise<void>): Submit {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const start = async (fields: FormData): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await action(fields);
    } catch (error) {
      setProblem(reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    problem,
    run: () => start(new FormData()),
    onSubmit: (event) => {
      event.preventDefault();
      void start(new FormData(event.currentTarget));
    },
  };
}

/** A form field as trimmed text. */
export function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** A password exactly as typed. */
export function passwordOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value : "";
}
