import type { ChangePublicAgent, PublicAgent } from "@parley/shared/contracts/public-agents.ts";
import { CheckField, Field, LongField } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";

/** Bounds on what strangers may cost: name, label and hint of each. */
const LIMITS = [
  { name: "perDay", label: "Conversations a day", hint: "Of all visitors together." },
  { name: "perVisitorPerDay", label: "Conversations a day, per visitor", hint: "Told apart by address." },
  {
    name: "callsAtOnce",
    label: "Calls at once",
    hint: "Whoever calls then is told that all lines are busy.",
  },
  { name: "messagesPerChat", label: "Messages in a chat", hint: "Then the chat ends." },
] as const;

interface PublicSettingsFormProps {
  readonly page: PublicAgent;
  readonly onSave: (body: ChangePublicAgent, said: string) => Promise<void>;
}

/** How a public page looks, who is let in, and what strangers may cost. */
export function PublicSettingsForm({ page, onSave }: PublicSettingsFormProps) {
  const { branding, limits, embedOrigins, hasAccessCode } = page;
  const { onSubmit, isBusy, problem } = useSubmit((fields) => onSave(settingsIn(fields, page), "Saved."));
  return (
    <form onSubmit={onSubmit} className="stack">
      {problem && <Problem>{problem}</Problem>}
      <Field
        label="Title"
        name="title"
        maxLength={80}
        defaultValue={branding.title ?? ""}
        autoComplete="off"
      />
      <LongField label="Greeting" name="greeting" maxLength={500} defaultValue={branding.greeting ?? ""} />
      <Field
        label={hasAccessCode ? "New access code" : "Access code"}
        name="accessCode"
        minLength={4}
        maxLength={32}
        autoComplete="off"
        hint={hasAccessCode ? "There is one; it isn't shown again." : "Visitors must type it. Empty: none."}
      />
      {hasAccessCode && <CheckField label="Ask for no access code" name="noCode" />}
      <LongField
        label="Sites that may embed it"
        name="embedOrigins"
        defaultValue={embedOrigins.join("\n")}
        hint="One on each line, such as https://shop.example. Empty: none."
      />
      {LIMITS.map(({ name, ...field }) => (
        <Field key={name} name={name} {...field} type="number" min={1} defaultValue={limits[name]} required />
      ))}
      <div className="row">
        <button type="submit" className="pf-btn" disabled={isBusy}>
          Save the public page
        </button>
      </div>
    </form>
  );
}

function settingsIn(fields: FormData, { branding: { accent } }: PublicAgent): ChangePublicAgent {
  const [title, greeting, code] = ["title", "greeting", "accessCode"].map((name) => textOf(fields, name));
  const limitOf = (name: (typeof LIMITS)[number]["name"]): number => Number(textOf(fields, name));
  return {
    branding: {
      ...(title ? { title } : {}),
      ...(greeting ? { greeting } : {}),
      ...(accent ? { accent } : {}),
    },
    embedOrigins: textOf(fields, "embedOrigins").split(/\s+/).filter(Boolean),
    limits: {
      perDay: limitOf("perDay"),
      perVisitorPerDay: limitOf("perVisitorPerDay"),
      callsAtOnce: limitOf("callsAtOnce"),
      messagesPerChat: limitOf("messagesPerChat"),
    },
    ...(fields.has("noCode") ? { accessCode: null } : {}),
    ...(code ? { accessCode: code } : {}),
  };
}
