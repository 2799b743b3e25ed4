import { SECRET_MASK } from "@parley/shared/contracts/integrations.ts";
import { plainEnglish } from "@parley/shared/contracts/plain-english.ts";
import { invalidInput, type Problem } from "@parley/shared/contracts/problems.ts";
import { z } from "zod";
import {
  type Connector,
  type CredentialField,
  type Field,
  isByConsent,
  type SettingField,
} from "../connector.ts";

type Values = Readonly<Record<string, string>>;

const MAX_LINE_CHARS = 4_096;
const line = z
  .string()
  .trim()
  .min(1)
  .max(MAX_LINE_CHARS)
  .regex(/^[^\p{Cc}]*$/u, "must be one line of text");
const lines = z.string().trim().min(1).max(16_384);

export interface Given {
  readonly credentials: Values;
  readonly settings: Values;
}

/**
 * Validates input against the connector's fields and normalizes each value for storage. Throws `AppError`
 * validation_failed, which names each field and quotes no value.
 */
export function checkInput(
  connector: Connector,
  { credentials, settings }: Given,
  { mayConsent = false }: { readonly mayConsent?: boolean } = {},
): Given {
  const problems: Problem[] = [];
  const checked = {
    credentials: checkValues("credentials", connector.credentials, credentials, problems),
    settings: checkValues("settings", connector.settings, settings, problems),
  };
  for (const field of connector.settings) requireField("settings", field, settings, problems);
  // Without credentials, the user wants to sign in at the vendor.
  const isConsent = mayConsent && isByConsent(connector, credentials);
  if (!isConsent) problems.push(...missingCredentials(connector, credentials));
  if (problems.length > 0) throw invalidInput("body", problems);
  return checked;
}

/** Merges sent credentials over stored ones: the mask keeps a value, an empty text removes it. */
export function mergeCredentials(connector: Connector, stored: Values, sent: Values | undefined): Values {
  if (sent === undefined) return stored;
  const changed = Object.entries(sent).filter(([, value]) => !isMask(value));
  const forms = new Set(
    connector.credentials
      .filter(
        ({ key, form }) =>
          form !== undefined && changed.some(([name, value]) => name === key && value !== ""),
      )
      .map(({ form }) => form),
  );
  // Credentials of another form replace the stored form.
  const isReplaced = ({ form }: CredentialField) => form !== undefined && forms.size > 0 && !forms.has(form);
  const dropped = new Set(connector.credentials.filter(isReplaced).map(({ key }) => key));
  const kept = Object.entries(stored).filter(([key]) => !dropped.has(key));
  return withoutEmpty({ ...Object.fromEntries(kept), ...Object.fromEntries(changed) });
}

export function mergeSettings(stored: Values, sent: Values | undefined): Values {
  return withoutEmpty({ ...stored, ...sent });
}

/** Refuses the mask where no stored value exists. */
export function refuseMask(credentials: Values): void {
  const masked = Object.keys(credentials).filter((key) => isMask(credentials[key]));
  if (masked.length === 0) return;
  const text = "is a masked value; enter the secret itself";
  throw invalidInput(
    "body",
    masked.map((key) => ({ field: `credentials.${key}`, text })),
  );
}

/** Blanks around a value are not kept, so they make no secret of the mask either. */
function isMask(value: string | undefined): boolean {
  return value?.trim() === SECRET_MASK;
}

/** The alternative sets of credential fields, each with its name; any one suffices. */
export function formsOf({
  credentials,
}: Pick<Connector, "credentials">): { name: string; fields: CredentialField[] }[] {
  const names = [...new Set(credentials.flatMap(({ form }) => (form === undefined ? [] : [form])))];
  const common = credentials.filter(({ form }) => form === undefined);
  if (names.length === 0) return [{ name: "Credentials", fields: common }];
  return names.map((name) => ({
    name,
    fields: credentials.filter(({ form }) => form === undefined || form === name),
  }));
}

function missingCredentials(connector: Connector, given: Values): Problem[] {
  const forms = formsOf(connector).map(({ fields }) => fields.filter(({ isOptional }) => !isOptional));
  if (forms.some((fields) => fields.every(({ key }) => isThere(given[key])))) return [];
  const [only] = forms;
  if (forms.length === 1 && only) {
    return only
      .filter(({ key }) => !isThere(given[key]))
      .map(({ key }) => ({ field: `credentials.${key}`, text: "is required" }));
  }
  const choices = forms.map((fields) => fields.map(({ key }) => key).join(" and "));
  return [{ field: "credentials", text: `needs ${choices.join(", or ")}` }];
}

function requireField(
  part: string,
  { key, isOptional }: SettingField,
  given: Values,
  problems: Problem[],
): void {
  if (!isOptional && !isThere(given[key])) problems.push({ field: `${part}.${key}`, text: "is required" });
}

function checkValues(
  part: "credentials" | "settings",
  fields: readonly (Field & Partial<Pick<SettingField, "isLong">>)[],
  values: Values,
  problems: Problem[],
): Values {
  const checked: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) {
    const field = fields.find((known) => known.key === key);
    if (!field) problems.push({ field: `${part}.${key}`, text: "is not a known field" });
    else if (isThere(value)) {
      const parsed = (field.schema ?? (field.isLong ? lines : line)).safeParse(value, {
        error: plainEnglish,
      });
      if (parsed.success) checked[key] = parsed.data;
      else
        problems.push({
          field: `${part}.${key}`,
          text: parsed.error.issues[0]?.message ?? "is not accepted",
        });
    }
  }
  return checked;
}

function withoutEmpty(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isThere(value)));
}

function isThere(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== "";
}
