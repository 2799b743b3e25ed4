import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { textOf } from "../../ui/use-submit.ts";

type Collected = CallDetail["piiCollected"][number];

/** The call's personal data in the vault; owners and admins see a value after giving a reason. */
export function CollectedPii({ collected }: { readonly collected: readonly Collected[] }) {
  const { org } = useHere();
  const [asked, ask] = useState<Collected>();
  const [shown, show] = useState<Readonly<Record<string, string>>>({});
  if (collected.length === 0) return null;
  return (
    <>
      <h3>Personal data</h3>
      <dl className="hook-facts">
        {collected.map((one) => (
          <div key={one.id}>
            <dt>{nameOf(one)}</dt>
            <dd>
              {shown[one.id] ?? "••••••••"}{" "}
              <span className="pf-muted">
                until <ExactTime at={one.expiresAt} />
              </span>
              {isAtLeast(org.role, "admin") && shown[one.id] === undefined && (
                <button type="button" className="pf-btn pf-btn-quiet" onClick={() => ask(one)}>
                  Show<span className="only-heard"> {nameOf(one)}</span>
                </button>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {asked && (
        <SayWhy
          of={asked}
          onClose={() => ask(undefined)}
          onShown={(value) => {
            show((now) => ({ ...now, [asked.id]: value }));
            ask(undefined);
          }}
        />
      )}
    </>
  );
}

function nameOf({ fieldKey, ruleSlug }: Collected): string {
  return fieldKey ?? ruleSlug;
}

interface SayWhyProps {
  readonly of: Collected;
  readonly onClose: () => void;
  readonly onShown: (value: string) => void;
}

function SayWhy({ of, onClose, onShown }: SayWhyProps) {
  const session = useSession();
  const { org } = useHere();
  return (
    <FormDialog
      title={`Show ${nameOf(of)}`}
      does="Show value"
      onClose={onClose}
      onSubmit={async (fields) => {
        const { value } = await session.call<{ value: string }>(
          `/api/orgs/${org.id}/pii-vault/${of.id}/read`,
          {
            method: "POST",
            orgId: org.id,
            body: { reason: textOf(fields, "reason") },
          },
        );
        onShown(value);
      }}
    >
      <Field
        label="Why do you need it?"
        name="reason"
        hint="Recorded in the audit log with your name."
        minLength={3}
        maxLength={500}
        autoComplete="off"
        required
      />
    </FormDialog>
  );
}
