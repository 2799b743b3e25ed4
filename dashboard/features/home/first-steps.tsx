import type { Overview } from "@parley/shared/contracts/analytics.ts";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";
import { can, useHere } from "../../api/use-session.ts";

/** First steps of a new organization, until one of its agents has talked. */
export function FirstSteps({ overview: { setup } }: { readonly overview: Overview }) {
  const here = useHere();
  if (!can(here, "manage_agents")) return null;
  return (
    <section className="pf-card panel" aria-labelledby="steps-title">
      <h2 id="steps-title">Get your first agent talking</h2>
      <ol className="steps">
        <Step name="Create agent" isDone={setup.agents > 0}>
          Choose a template and what it says first.{" "}
          <Link to="/agents" search={setup.agents > 0 ? {} : { create: "1" }}>
            {setup.agents > 0 ? "View agents" : "Create agent"}
          </Link>
        </Step>
        <Step name="Give it a number" isDone={setup.numbers > 0} isOptional>
          Callers reach it by phone; a simulated one will do. <Link to="/numbers">Add number</Link>
        </Step>
        <Step name="Talk to it" isDone={setup.hasTalked}>
          Open the agent and press Talk: it answers in this browser.{" "}
          {setup.agents > 0 && <Link to="/agents">Open an agent</Link>}
        </Step>
      </ol>
    </section>
  );
}

interface StepProps {
  readonly name: string;
  readonly isDone: boolean;
  readonly isOptional?: boolean;
  readonly children: ReactNode;
}

function Step({ name, isDone, isOptional = false, children }: StepProps) {
  const Mark = isDone ? CircleCheck : CircleDashed;
  return (
    <li className={isDone ? "step step-done" : "step"}>
      <Mark aria-hidden="true" className="icon" />
      <div>
        <strong>{name}</strong>
        {isOptional && <span className="pf-muted"> (optional)</span>}
        {isDone && <span className="only-heard"> (done)</span>}
        <p className="pf-muted">{children}</p>
      </div>
    </li>
  );
}
