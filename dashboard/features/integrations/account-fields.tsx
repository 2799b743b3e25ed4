import type { IntegrationProvider } from "@parley/shared/contracts/integrations.ts";
import { useState } from "react";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { Field, LongField, PasswordField } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { passwordOf } from "../../ui/use-submit.ts";

type Values = Readonly<Record<string, string>>;
type Connect = IntegrationProvider["connect"];

interface CredentialFieldsProps {
  readonly connect: Connect;
  readonly faults: Values;
  /** Stored values, secrets masked; absent for a new connection. */
  readonly stored?: Values;
  /** The vendor to sign in to instead; absent where sign-in is unavailable. */
  readonly signInTo?: string;
}

/** A connector's credentials, in the selected form where the vendor has several. */
export function CredentialFields({ connect, faults, stored, signInTo }: CredentialFieldsProps) {
  const { forms, credentials } = connect;
  const storedForm = stored && formOf(connect, stored);
  const mayChoose = signInTo !== undefined && connect.consent && forms.length > 0;
  const names = [...(mayChoose ? [SIGN_IN] : []), ...forms.map(({ name }) => name)];
  const [chosen, choose] = useState(storedForm ?? names[0] ?? "");
  const form = forms.find(({ name }) => name === chosen);
  const isStored = form !== undefined && form.name === storedForm;
  return (
    <>
      {names.length > 1 && (
        <ChoiceBar
          label="Type of credentials"
          options={names.map((name) => ({ value: name, name }))}
          chosen={chosen}
          onChoose={choose}
        />
      )}
      {chosen === SIGN_IN && (
        <p className="pf-muted">On the next page you sign in to {signInTo} and allow it there.</p>
      )}
      {faults.credentials && <Problem>{faults.credentials}</Problem>}
      {credentials
        .filter(({ key }) => form?.keys.includes(key))
        .map((field) => {
          const has = isStored && stored?.[field.key] !== undefined;
          const isNeeded = form?.required.includes(field.key) === true;
          const of = {
            // Another form starts empty.
            key: `${chosen}.${field.key}`,
            label: isNeeded ? field.label : `${field.label} (optional)`,
            name: `credentials.${field.key}`,
            fault: faults[`credentials.${field.key}`],
            spellCheck: false,
            autoCapitalize: "none",
          };
          return field.secret ? (
            <PasswordField
              {...of}
              key={of.key}
              autoComplete="new-password"
              hint={has ? `Leave empty to keep the current one. ${field.help}` : field.help}
              required={isNeeded && !has}
            />
          ) : (
            <Field
              {...of}
              key={of.key}
              autoComplete="off"
              hint={field.help}
              defaultValue={has ? stored?.[field.key] : undefined}
              required={isNeeded}
            />
          );
        })}
    </>
  );
}

/** Shown instead of credentials. */
const SIGN_IN = "Sign in";

interface SettingFieldsProps {
  readonly settings: Connect["settings"];
  readonly faults: Values;
  readonly stored?: Values;
}

/** A connector's settings besides credentials. */
export function SettingFields({ settings, faults, stored }: SettingFieldsProps) {
  return settings.map(({ key, label, required, placeholder, help, multiline }) => {
    const of = {
      label: required ? label : `${label} (optional)`,
      name: `settings.${key}`,
      hint: help,
      fault: faults[`settings.${key}`],
      defaultValue: stored?.[key],
      placeholder,
      required,
      spellCheck: false,
    };
    return multiline ? (
      <LongField {...of} key={key} rows={LONG_ROWS} />
    ) : (
      <Field {...of} key={key} autoComplete="off" autoCapitalize="none" />
    );
  });
}

const LONG_ROWS = 5;

/** Every field name that the API may report a problem with. */
export function fieldNames({ credentials, settings }: Connect): string[] {
  return [
    ...["label", "credentials", "settings"],
    ...credentials.map(({ key }) => `credentials.${key}`),
    ...settings.map(({ key }) => `settings.${key}`),
  ];
}

/** Values entered under `part`, by key. Empty texts are left out unless `withEmpty`. */
export function enteredValues(
  fields: FormData,
  part: "credentials" | "settings",
  { withEmpty = false }: { readonly withEmpty?: boolean } = {},
): Values {
  const names = [...fields.keys()].filter((name) => name.startsWith(`${part}.`));
  return Object.fromEntries(
    names
      .map((name) => [name.slice(part.length + 1), passwordOf(fields, name)] as const)
      .filter(([, value]) => withEmpty || value !== ""),
  );
}

/** The form that the stored credentials belong to. */
function formOf({ forms }: Connect, stored: Values): string | undefined {
  const keys = Object.keys(stored);
  return forms.find((form) => keys.length > 0 && keys.every((key) => form.keys.includes(key)))?.name;
}
