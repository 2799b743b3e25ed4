import { type AppInstall, type AppSetting, changeAppSettingsSchema } from "@parley/shared/contracts/apps.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { CheckField, Field } from "../../ui/field.tsx";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { type SchemaForm as Form, useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { toast } from "../../ui/toast.ts";

interface SettingsPanelProps {
  readonly install: AppInstall;
  readonly path: string;
  readonly onChanged: () => Promise<void>;
}

type Typed = Record<string, string | boolean>;

/** An organization's settings of an app. A saved secret is never shown again. */
export function SettingsPanel({ install, path, onChanged }: SettingsPanelProps) {
  const session = useSession();
  const { org } = useHere();
  const isManager = org.role === "owner" || org.role === "admin";
  const { settings } = install;
  const form = useSchemaForm<Typed, typeof changeAppSettingsSchema>({
    schema: changeAppSettingsSchema,
    values: Object.fromEntries(settings.map((setting) => [placeOf(setting), typedOf(setting)])),
    places: Object.fromEntries(settings.map((setting) => [`settings.${setting.key}`, placeOf(setting)])),
    body: (typed) => ({
      settings: Object.fromEntries(
        settings.flatMap((setting) => changeOf(setting, typed[placeOf(setting)] ?? "")),
      ),
    }),
    send: async (body) => {
      await session.call(`${path}/settings`, { method: "PATCH", orgId: org.id, body });
      toast("Saved. Reload open pages of the app to see it.");
      await onChanged();
      // Begins anew from what is saved, without the secrets.
      form.reset();
    },
  });
  return (
    <section className="pf-card panel">
      <h2>Settings</h2>
      {isManager ? (
        <SchemaForm form={form} does="Save settings" isMain>
          {settings.map((setting) => (
            <SettingField key={setting.key} form={form} setting={setting} />
          ))}
        </SchemaForm>
      ) : (
        <fieldset disabled className="app-settings">
          {settings.map((setting) => (
            <SettingField key={setting.key} form={form} setting={setting} />
          ))}
        </fieldset>
      )}
    </section>
  );
}

interface SettingFieldProps {
  readonly form: Form<Typed>;
  readonly setting: AppSetting;
}

function SettingField({ form, setting }: SettingFieldProps) {
  const { label, type, isSet, required } = setting;
  const field = form.field(placeOf(setting), label);
  if (type === "boolean") return <CheckField {...field} />;
  const isSecret = type === "secret";
  return (
    <Field
      {...field}
      type={isSecret ? "password" : "text"}
      autoComplete="off"
      required={required && !isSet}
      hint={isSecret && isSet ? "Saved. Leave empty to keep it." : undefined}
    />
  );
}

/** Where a setting is typed. Dots would be parts of parts to the form. */
function placeOf({ key }: AppSetting): string {
  return `setting-${key.replaceAll(".", "-")}`;
}

function typedOf({ type, value }: AppSetting): string | boolean {
  if (type === "boolean") return value === true;
  return typeof value === "string" ? value : "";
}

/** An empty secret field keeps the stored secret, which is never shown. */
function changeOf({ key, type }: AppSetting, typed: string | boolean): [string, string | boolean | null][] {
  if (type === "boolean") return [[key, typed === true]];
  if (typed !== "") return [[key, typed]];
  return type === "secret" ? [] : [[key, null]];
}
