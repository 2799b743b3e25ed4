import type { AppInstall, AppSetting } from "@parley/shared/contracts/apps.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { useSubmit } from "../../ui/use-submit.ts";

interface SettingsPanelProps {
  readonly install: AppInstall;
  readonly path: string;
  readonly onChanged: () => Promise<void>;
}

/** An organization's settings of an app. A saved secret is never shown again. */
export function SettingsPanel({ install, path, onChanged }: SettingsPanelProps) {
  const session = useSession();
  const { org } = useHere();
  const [isSaved, setSaved] = useState(false);
  const isManager = org.role === "owner" || org.role === "admin";
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    setSaved(false);
    const settings = Object.fromEntries(install.settings.flatMap((setting) => changeOf(setting, fields)));
    await session.call(`${path}/settings`, { method: "PATCH", orgId: org.id, body: { settings } });
    setSaved(true);
    await onChanged();
  });
  return (
    <section className="pf-card panel">
      <h2>Settings</h2>
      <form onSubmit={onSubmit} aria-busy={isBusy}>
        <fieldset disabled={!isManager} className="app-settings">
          {install.settings.map((setting) => (
            <SettingField key={setting.key} setting={setting} />
          ))}
        </fieldset>
        {problem && <Problem>{problem}</Problem>}
        {isSaved && <Success>Saved. Open pages of the app use it after a reload.</Success>}
        {isManager && (
          <button type="submit" className="pf-btn pf-btn-primary" aria-disabled={isBusy}>
            Save settings
          </button>
        )}
      </form>
    </section>
  );
}

function SettingField({
  setting: { key, label, type, value, isSet, required },
}: {
  readonly setting: AppSetting;
}) {
  if (type === "boolean") {
    return (
      <label>
        <input type="checkbox" name={key} defaultChecked={value === true} /> {label}
      </label>
    );
  }
  const isSecret = type === "secret";
  return (
    <Field
      label={label}
      name={key}
      type={isSecret ? "password" : "text"}
      autoComplete="off"
      required={required && !isSet}
      defaultValue={typeof value === "string" ? value : ""}
      hint={isSecret && isSet ? "Saved. Leave empty to keep it." : undefined}
    />
  );
}

/** An empty secret field keeps the stored secret, which is never shown. */
function changeOf({ key, type }: AppSetting, fields: FormData): [string, string | boolean | null][] {
  if (type === "boolean") return [[key, fields.get(key) === "on"]];
  const text = String(fields.get(key) ?? "");
  if (text !== "") return [[key, text]];
  return type === "secret" ? [] : [[key, null]];
}
