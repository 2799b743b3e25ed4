import { ChoiceBar } from "../ui/choice-bar.tsx";
import { CodeTabs } from "../ui/code-tabs.tsx";
import { CheckField, ChoiceField, Field, LongField, PasswordField, SelectField } from "../ui/field.tsx";
import { Specimen, SpecimenGroup } from "./specimen.tsx";

const BUTTONS = ["", "pf-btn-primary", "pf-btn-danger", "pf-btn-quiet"] as const;

/** What is pressed, filled in and chosen. */
export function ControlSpecimens() {
  return (
    <>
      <SpecimenGroup title="Buttons">
        {BUTTONS.map((look) => (
          <Specimen key={look} name={`button ${look.replace("pf-btn-", "") || "plain"}`}>
            <div className="row">
              <button type="button" className={`pf-btn ${look}`}>
                Save
              </button>
              <button type="button" className={`pf-btn ${look}`} disabled>
                Disabled
              </button>
              <button type="button" className={`pf-btn ${look}`} aria-disabled="true">
                Busy
              </button>
            </div>
          </Specimen>
        ))}
        <Specimen name="choice bar">
          <ChoiceBar
            label="Range"
            options={[
              { value: "day", name: "Day" },
              { value: "week", name: "Week" },
            ]}
            chosen="day"
            onChoose={() => undefined}
          />
        </Specimen>
        <Specimen name="code in several languages">
          <CodeTabs
            label="Language"
            samples={[
              { name: "Node", label: "Receiver in Node", text: "import http from 'node:http';" },
              { name: "Python", label: "Receiver in Python", text: "import http.server" },
            ]}
          />
        </Specimen>
      </SpecimenGroup>
      <SpecimenGroup title="Fields">
        <Specimen name="field empty">
          <Field label="Name" name="empty" placeholder="Front desk" />
        </Specimen>
        <Specimen name="field with a hint">
          <Field label="Name" name="hint" defaultValue="Anna" hint="Callers do not see it." />
        </Specimen>
        <Specimen name="field with a fault">
          <Field
            label="Name"
            name="fault"
            defaultValue=""
            fault="Is required."
            hint="Callers do not see it."
          />
        </Specimen>
        <Specimen name="field disabled">
          <Field label="Name" name="disabled" defaultValue="Anna" disabled />
        </Specimen>
        <Specimen name="long field">
          <LongField label="Prompt" name="long" rows={3} defaultValue="You answer the phone." />
        </Specimen>
        <Specimen name="long field with a fault">
          <LongField label="Prompt" name="long-fault" rows={3} fault="Is too long." />
        </Specimen>
        <Specimen name="password">
          <PasswordField label="Password" name="password" autoComplete="off" />
        </Specimen>
        <Specimen name="select">
          <SelectField label="Role" name="role" options={["owner", "viewer"]} />
        </Specimen>
        <Specimen name="choice with a fault">
          <ChoiceField label="Agent" name="agent" fault="Was deleted." hint="Who answers.">
            <option>Anna</option>
          </ChoiceField>
        </Specimen>
        <Specimen name="check">
          <CheckField label="Record calls" name="check" hint="Audio only." defaultChecked />
        </Specimen>
      </SpecimenGroup>
    </>
  );
}
