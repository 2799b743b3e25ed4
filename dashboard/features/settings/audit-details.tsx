import type { AuditEvent } from "@parley/shared/contracts/organizations.ts";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { phoneText } from "../../ui/phone-text.ts";

/** How the ids of calls begin; those of sign-ins are sessions, too. */
const CALL = "ses_";

type Details = AuditEvent["details"];

interface AuditDetailsProps {
  /** The person it was done to, unless they did it. */
  readonly about: string | undefined;
  readonly details: Details;
  /** What ids are called, where that is known. */
  readonly names: ReadonlyMap<string, string>;
}

/** Whom and what an action was about: a line for each, so that an id stays in one piece. */
export function AuditDetails({ about, details, names }: AuditDetailsProps) {
  const shown = knownIn(details);
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
          {/* An id that has a name is a hint; without one, only where it is cut. */}
          <dd
            data-tip={plainText(value)}
            data-tip-cut={namedText(value, names) === plainText(value) || undefined}
          >
            <Value name={name} id={plainText(value)} text={namedText(value, names)} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** The same as one line of text. */
export function auditDetailsText({ about, details, names }: AuditDetailsProps): string {
  const said = knownIn(details).map(([name, value]) => {
    const [plain, named] = [plainText(value), namedText(value, names)];
    return `${name}: ${named === plain ? plain : `${named} (${plain})`}`;
  });
  return [...(about === undefined ? [] : [about]), ...said].join(" · ");
}

interface ValueProps {
  readonly name: string;
  readonly id: string;
  /** The id's name, if it has one. */
  readonly text: string;
}

function Value({ name, id, text }: ValueProps) {
  if (id.startsWith(CALL))
    return (
      <Link to="/calls/$id" params={{ id }}>
        {text}
      </Link>
    );
  if (name === "agentId")
    return (
      <Link to="/agents/$id/{-$section}" params={{ id }}>
        {text}
      </Link>
    );
  return text;
}

/** What is empty tells nothing. */
function knownIn(details: Details): [name: string, value: unknown][] {
  return Object.entries(details).filter(([, value]) => value !== null && value !== "");
}

/** `connectionId` is a connection, `revokedKeys` are revoked keys. */
function nameText(name: string, text: string): string {
  if (text.startsWith(CALL)) return "Call";
  if (name === "mcpConnectionId") return "Tool server";
  const words = name
    .replace(/Ids?$/, "")
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
  return words === "" || words === "id" ? "ID" : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The same with names in place of ids. */
function namedText(value: unknown, names: ReadonlyMap<string, string>): string {
  if (Array.isArray(value)) return value.map((item) => namedText(item, names)).join(", ");
  const text = plainText(value);
  return names.get(text) ?? phoneText(text);
}

function plainText(value: unknown): string {
  if (Array.isArray(value)) return value.map(plainText).join(", ");
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "string" ? value : JSON.stringify(value);
}
