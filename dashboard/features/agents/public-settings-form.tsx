import {
  type ChangePublicAgent,
  changePublicAgentSchema,
  type PublicAgent,
} from "@parley/shared/contracts/public-agents.ts";
import { CheckField, Field, LongField } from "../../ui/field.tsx";
import { numberIn } from "../../ui/schema-form/number-in.ts";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";

/** Bounds on what strangers may cost: name, label and hint of each. */
const LIMITS = [
  { name: "perDay", label: "Conversations per day", hint: "Of all visitors together." },
  { name: "perVisitorPerDay", label: "Conversations per visitor per day", hint: "Told apart by address." },
  {
    name: "callsAtOnce",
    label: "Calls at once",
    hint: "Whoever calls then is told that all lines are busy.",
  },
  { name: "messagesPerChat", label: "Messages per chat", hint: "Then the chat ends." },
] as const;

/** Where the parts of the settings are typed. */
const PLACES = {
  "branding.title": "title",
  "branding.greeting": "greeting",
  "limits.perDay": "perDay",
  "limits.perVisitorPerDay": "perVisitorPerDay",
  "limits.callsAtOnce": "callsAtOnce",
  "limits.messagesPerChat": "messagesPerChat",
} as const;

interface PublicSettingsFormProps {
  readonly page: PublicAgent;
  readonly onSave: (body: ChangePublicAgent, said: string) => Promise<void>;
}

/** How a public page looks, who is let in, and what strangers may cost. */
export function PublicSettingsForm({ page, onSave }: PublicSettingsFormProps) {
  const { branding, limits, embedOrigins, hasAccessCode } = page;
  const form = useSchemaForm({
    schema: changePublicAgentSchema,
    values: {
      title: branding.title ?? "",
      greeting: branding.greeting ?? "",
      accessCode: "",
      noCode: false,
      embedOrigins: embedOrigins.join("\n"),
      perDay: String(limits.perDay),
      perVisitorPerDay: String(limits.perVisitorPerDay),
      callsAtOnce: String(limits.callsAtOnce),
      messagesPerChat: String(limits.messagesPerChat),
    },
    places: PLACES,
    body: ({ title, greeting, accessCode, noCode, embedOrigins: origins, ...typed }) => ({
      branding: {
        ...(title.trim() ? { title } : {}),
        ...(greeting.trim() ? { greeting } : {}),
        ...(branding.accent ? { accent: branding.accent } : {}),
      },
      embedOrigins: origins.split(/\s+/).filter(Boolean),
      limits: Object.fromEntries(LIMITS.map(({ name }) => [name, numberIn(typed[name])])),
      ...(noCode ? { accessCode: null } : {}),
      ...(accessCode.trim() ? { accessCode } : {}),
    }),
    send: (body) => onSave(body, "Saved."),
  });
  return (
    <SchemaForm form={form} does="Save public page">
      <Field {...form.field("title", "Title")} autoComplete="off" />
      <LongField {...form.field("greeting", "Greeting")} />
      <Field
        {...form.field("accessCode", hasAccessCode ? "New access code" : "Access code")}
        autoComplete="off"
        hint={hasAccessCode ? "There is one; it isn’t shown again." : "Visitors must type it. Empty: none."}
      />
      {hasAccessCode && <CheckField {...form.field("noCode", "Remove access code")} />}
      <LongField
        {...form.field("embedOrigins", "Sites that may embed it")}
        hint="One per line, such as https://shop.example. Leave empty for none."
      />
      {LIMITS.map(({ name, label, hint }) => (
        <Field key={name} {...form.field(name, label)} hint={hint} type="number" min={1} required />
      ))}
    </SchemaForm>
  );
}
