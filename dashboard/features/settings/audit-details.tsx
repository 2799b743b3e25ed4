import type { AuditEvent } from "@parley/shared/contracts/organizations.ts";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";

/** How the ids of calls begin; those of sign-ins are sessions, too. */
const CALL = "ses_";

type Details = AuditEvent["details"];

interface AuditDetailsProps {
  /** The person it was done to, unless they did it. */
  readonly about: string | undefined;
  readonly details: Details;
}

/** Whom and what an action was about: a line for each, so that an id stays in one piece. */
export function AuditDetails({ about, details }: AuditDetailsProps) {
  const shown = Object.entries(details);
  if (about === undefined && shown.length === 0) return "–";
  return (
    <dl className="audit-details">
      {about !== undefined && (
        <>
          <dt>Person</dt>
          <dd data-tip={about} data-tip-cut>
            {about}
          </dd>
        </>
      )}
      {shown.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{nameText(name, plainText(value))}</dt>
          <dd data-tip={plainText(value)} data-tip-cut>
            <Value name={name} text={plainText(value)} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** The same as one line of text. */
export function auditDetailsText({ about, details }: AuditDetailsProps): string {
  const said = Object.entries(details).map(([name, value]) => `${name}: ${plainText(value)}`);
  return [...(about === undefined ? [] : [about]), ...said].join(" · ");
}

function Value({ name, text }: { readonly name: string; readonly text: string }) {
  if (text.startsWith(CALL))
    return (
      <Link to="/calls/$id" params={{ id: text }}>
        {text}
      </Link>
    );
  if (name === "agentId")
    return (
      <Link to="/agents/$id/{-$section}" params={{ id: text }}>
        {text}
      </Link>
    );
  return text;
}

/** `connectionId` is a connection, `revokedKeys` are revoked keys. */
function nameText(name: string, text: string): string {
  if (text.startsWith(CALL)) return "Call";
  const words = name
    .replace(/Ids?$/, "")
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
  return words === "" || words === "id" ? "ID" : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function plainText(value: unknown): string {
  if (Array.isArray(value)) return value.map(plainText).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
