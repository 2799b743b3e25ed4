import type { Agent } from "@parley/shared/contracts/agents.ts";
import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { Bot, History, LogOut, Mic, Plus } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useData } from "../api/use-data.ts";
import { can, useHere, useSession } from "../api/use-session.ts";
import { partyText, titleOf } from "../features/calls/call-labels.ts";
import { Dialog } from "../ui/dialog.tsx";
import { phoneText } from "../ui/phone-text.ts";
import { NAVIGATION } from "./navigation.ts";

const FOUND_MOST = 5;
/** Debounce: typing does not send a request per letter. */
const PAUSE_MS = 200;
/** A part of a number long enough to search for. */
const NUMBER_PART = /\d[\d\s().-]{2,}/;

/** Finds a page, an agent, a call or an action, and goes there. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const here = useHere();
  const session = useSession();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const agents = useFoundAgents(text);
  const calls = useFoundCalls(text);
  const choose = (action: () => unknown) => (): void => {
    onClose();
    action();
  };
  return (
    <Dialog title="Go to" onClose={onClose} first={searchIn}>
      <Command label="Go to" className="palette" loop>
        <Command.Input
          value={text}
          onValueChange={setText}
          className="pf-input"
          placeholder="Pages, agents, calls by number, actions"
        />
        <Command.List className="palette-list">
          <Command.Empty className="pf-muted palette-empty">Nothing found.</Command.Empty>
          {agents.length > 0 && (
            <Command.Group heading="Agents">
              {agents.map(({ id, name }) => (
                <Item
                  key={id}
                  value={`${name} ${id}`}
                  icon={<Bot aria-hidden="true" className="icon" />}
                  onSelect={choose(() => navigate({ to: "/agents/$id/{-$section}", params: { id } }))}
                >
                  {name}
                </Item>
              ))}
            </Command.Group>
          )}
          {calls.length > 0 && (
            <Command.Group heading="Calls">
              {calls.map((call) => (
                <Item
                  key={call.id}
                  // Keeps the match: the server already found the call by the typed text.
                  value={`${text} ${call.sessionId}`}
                  icon={<History aria-hidden="true" className="icon" />}
                  onSelect={choose(() => navigate({ to: "/calls/$id", params: { id: call.sessionId } }))}
                >
                  {titleOf(call)} · {phoneText(partyText(call))}
                </Item>
              ))}
            </Command.Group>
          )}
          <Command.Group heading="Pages">
            {NAVIGATION.flatMap(({ items }) => items)
              .filter(({ isFor }) => isFor === undefined || isFor(here))
              .map(({ to, name, icon: Picture }) => (
                <Item
                  key={name}
                  value={name}
                  icon={<Picture aria-hidden="true" className="icon" />}
                  onSelect={choose(() => navigate({ to }))}
                >
                  {name}
                </Item>
              ))}
          </Command.Group>
          <Command.Group heading="Actions">
            {can(here, "manage_agents") && (
              <Item
                value="Create agent"
                icon={<Plus aria-hidden="true" className="icon" />}
                onSelect={choose(() => navigate({ to: "/agents", search: { create: "1" } }))}
              >
                Create agent
              </Item>
            )}
            <Item
              value="Talk page"
              icon={<Mic aria-hidden="true" className="icon" />}
              onSelect={choose(() => location.assign("/talk"))}
            >
              Talk page
            </Item>
            <Item
              value="Sign out"
              icon={<LogOut aria-hidden="true" className="icon" />}
              onSelect={choose(() => session.signOut())}
            >
              Sign out
            </Item>
          </Command.Group>
        </Command.List>
      </Command>
    </Dialog>
  );
}

function searchIn(box: HTMLElement): HTMLElement | null {
  return box.querySelector("input");
}

interface ItemProps {
  readonly value: string;
  readonly icon: ReactNode;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

function Item({ value, icon, onSelect, children }: ItemProps) {
  return (
    <Command.Item value={value} onSelect={onSelect} className="palette-item">
      {icon}
      <span>{children}</span>
    </Command.Item>
  );
}

function useFoundAgents(text: string): readonly Agent[] {
  const session = useSession();
  const { org } = useHere();
  const search = useLater(text.trim());
  const path = `/api/agents?${new URLSearchParams({ limit: String(FOUND_MOST), ...(search ? { search } : {}) })}`;
  const { data } = useData(
    `palette ${path}#${org.id}`,
    () => session.call<{ agents: Agent[] }>(path, { method: "GET", orgId: org.id }),
    { isList: true },
  );
  return data?.agents ?? [];
}

function useFoundCalls(text: string): readonly CallSummary[] {
  const session = useSession();
  const { org } = useHere();
  const number = NUMBER_PART.exec(useLater(text))?.[0];
  const query = new URLSearchParams({ limit: String(FOUND_MOST), ...(number ? { number } : {}) });
  const path = `/api/orgs/${org.id}/calls?${query}`;
  const { data } = useData(
    `palette ${number === undefined ? "without a number" : path}`,
    async () =>
      number === undefined
        ? { calls: [] }
        : session.call<{ calls: CallSummary[] }>(path, { method: "GET", orgId: org.id }),
    { isList: true },
  );
  return data?.calls ?? [];
}

/** Returns a text once it has been stable for a moment. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
