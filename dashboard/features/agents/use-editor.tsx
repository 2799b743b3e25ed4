import type { Agent } from "@parley/shared/contracts/agents.ts";
import { type Json, mergePatch } from "@parley/shared/contracts/merge-patch.ts";
import { createContext, use, useState } from "react";
import { ApiError, reasonOf } from "../../api/api-error.ts";
import { can, useHere, useSession } from "../../api/use-session.ts";
import { loadCode } from "../../ui/load-code.ts";
import { useCode } from "../../ui/use-code.ts";
import { changeBody, draftOf, type Faults, isChanged } from "./agent-draft.ts";
import { withValueAt } from "./json-at.ts";
import { patchBetween } from "./patch-between.ts";
import { rebasedDraft } from "./rebased-draft.ts";

/** The state of an agent being edited. */
export interface Editor {
  /** The agent as last read or saved. */
  readonly agent: Agent;
  readonly draft: Json;
  /** Whether the role permits changes; the API has the last word. */
  readonly mayChange: boolean;
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  /** The last completed action, until the next change. */
  readonly news: string | undefined;
  /** Why saving failed, unless a setting shows the reason. */
  readonly problem: string | undefined;
  /** All problems, including those in untouched settings. */
  readonly faults: Faults;
  /** Problems on display: in touched settings, and all once saving was tried. */
  readonly shownFaults: Faults;
  /** Nothing was saved because rehearsals block it. */
  readonly isUnrehearsed: boolean;
  /** The agent's current state, after another person saved meanwhile. */
  readonly theirs: Agent | undefined;
  readonly set: (path: string, value: unknown) => void;
  readonly touch: (path: string) => void;
  /** Resolves to false when saving failed for a reason on display. */
  readonly save: (how?: SaveOptions) => Promise<boolean>;
  readonly discard: () => void;
  /** Shows another person's save beside the local changes. */
  readonly see: (theirs: Agent) => void;
  /** Rebases the local changes on another state of the agent. */
  readonly rebase: (onto: Agent) => void;
  /** Switches to another state of the agent and drops the local changes. */
  readonly adopt: (agent: Agent, news?: string) => void;
}

interface SaveOptions {
  /** Saves despite blocking rehearsals. */
  readonly unrehearsed?: true;
}

interface State {
  readonly agent: Agent;
  readonly draft: Json;
  readonly touched: ReadonlySet<string>;
  readonly isTried: boolean;
  readonly refused: Faults;
  readonly news?: string | undefined;
  readonly problem?: string;
  readonly isUnrehearsed?: boolean;
  readonly theirs?: Agent;
}

export function agentPath(id: string): string {
  return `/api/agents/${id}`;
}

/** The checks of what is changed, with the API's schemas, which whoever only reads does without. */
const loadCheck = () => loadCode(async () => (await import("./agent-faults.ts")).faultsOf);

export function useAgentEditor(loaded: Agent): Editor {
  const session = useSession();
  const here = useHere();
  const { org } = here;
  const [state, setState] = useState(() => fresh(loaded));
  const [isBusy, setBusy] = useState(false);
  const { agent, draft } = state;
  const base = draftOf(agent);
  const hasChanged = isChanged(base, draft);
  const check = useCode(loadCheck, hasChanged);
  const wrong = check?.(draft, base) ?? {};
  const faults = { ...wrong, ...state.refused };
  const save = async (how: SaveOptions = {}): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    try {
      const found = (check ?? (await loadCheck()))(draft, base);
      if (Object.keys(found).length > 0) {
        setState((now) => ({ ...now, isTried: true }));
        return false;
      }
      setState(({ problem: _, theirs: __, ...now }) => ({ ...now, isUnrehearsed: false, refused: {} }));
      const body = { ...changeBody(base, draft, agent.version), ...how };
      const saved = await session.call<Agent>(agentPath(agent.id), { method: "PATCH", orgId: org.id, body });
      // Text typed while saving is kept.
      setState((now) => ({
        ...fresh(saved, `Saved as version ${saved.version}.`),
        draft: mergePatch(draftOf(saved), patchBetween(draft, now.draft)),
      }));
      return true;
    } catch (error) {
      const isConflict = error instanceof ApiError && error.code === "conflict";
      const theirs = isConflict ? await readAgain() : undefined;
      const refused = refusedFields(error);
      const isSaid = theirs !== undefined || Object.keys(refused).length > 0;
      setState((now) => ({
        ...now,
        refused,
        isTried: true,
        isUnrehearsed: error instanceof ApiError && error.code === "not_rehearsed",
        ...(theirs ? { theirs } : {}),
        ...(isSaid ? {} : { problem: reasonOf(error) }),
      }));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const readAgain = (): Promise<Agent | undefined> =>
    session.call<Agent>(agentPath(agent.id), { method: "GET", orgId: org.id }).catch(() => undefined);
  return {
    agent,
    draft,
    isBusy,
    faults,
    mayChange: can(here, "manage_agents"),
    isChanged: hasChanged,
    news: state.news,
    problem: state.problem,
    shownFaults: state.isTried ? faults : onlyTouched(faults, state),
    isUnrehearsed: state.isUnrehearsed ?? false,
    theirs: state.theirs,
    set: (path, value) => setState((now) => withChange(now, path, value)),
    touch: (path) => setState((now) => ({ ...now, touched: new Set([...now.touched, path]) })),
    save,
    see: (other) => setState((now) => ({ ...now, theirs: other })),
    discard: () => setState((now) => fresh(now.agent)),
    rebase: (onto) =>
      setState((now) => ({
        ...fresh(onto),
        draft: rebasedDraft({ base: draftOf(now.agent), mine: now.draft, theirs: draftOf(onto) }),
      })),
    adopt: (other, news) => setState(fresh(other, news)),
  };
}

function fresh(agent: Agent, news?: string): State {
  return { agent, draft: draftOf(agent), touched: new Set(), isTried: false, refused: {}, news };
}

function withChange(now: State, path: string, value: unknown): State {
  const isAbout = (field: string): boolean =>
    field === path || field.startsWith(`${path}.`) || path.startsWith(`${field}.`);
  const refused = Object.entries(now.refused).filter(([field]) => !isAbout(field));
  return { ...now, draft: withValueAt(now.draft, path, value), refused: Object.fromEntries(refused) };
}

function onlyTouched(faults: Faults, { touched, refused }: State): Faults {
  const shown = Object.entries(faults).filter(([path]) => touched.has(path) || path in refused);
  return Object.fromEntries(shown);
}

/** The API's messages about single settings. */
function refusedFields(error: unknown): Faults {
  if (!(error instanceof ApiError)) return {};
  const { fields } = error.details;
  if (typeof fields !== "object" || fields === null) return {};
  return Object.fromEntries(Object.entries(fields).map(([field, problem]) => [field, String(problem)]));
}

export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  const editor = use(EditorContext);
  if (!editor) throw new Error("there is no EditorContext above");
  return editor;
}
