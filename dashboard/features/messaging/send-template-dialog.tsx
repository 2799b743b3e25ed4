import type { Thread } from "@parley/shared/contracts/messaging.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { filledIn, templateText } from "./template-text.ts";
import { type Template, useTemplates } from "./use-channels.ts";
import { threadsPath } from "./use-threads.ts";

interface SendTemplateDialogProps {
  readonly thread: Thread;
  readonly onClose: () => void;
  readonly onSent: () => Promise<void>;
}

const keyOf = ({ name, language }: Template): string => `${name} (${language})`;

/** Sends a Meta-approved template with its blanks filled in. */
export function SendTemplateDialog({ thread, onClose, onSent }: SendTemplateDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const loaded = useTemplates(thread.channelId);
  const approved = loaded.data?.filter(({ status }) => status === "APPROVED") ?? [];
  const [key, choose] = useState("");
  const template = approved.find((one) => keyOf(one) === key) ?? approved[0];
  const problem = template && templateText(template.components).problem;
  const send = async (fields: FormData): Promise<void> => {
    if (!template) return;
    const { name, language } = template;
    const components = filledIn(templateText(template.components), (part, blank) =>
      textOf(fields, `${part}-${blank}`),
    );
    const body = { template: { name, language, components } };
    await session.call(`${threadsPath(org.id)}/${thread.id}/messages`, { orgId: org.id, body });
    await onSent();
  };
  return (
    <FormDialog
      title="Send template"
      does="Send"
      isReady={template !== undefined && problem === undefined}
      problem={problem}
      onSubmit={send}
      onClose={onClose}
    >
      <Loaded of={loaded}>
        {() =>
          template ? (
            <Chosen templates={approved} template={template} onChoose={choose} />
          ) : (
            <p>No approved templates. Write one in WhatsApp Manager; Meta approves it.</p>
          )
        }
      </Loaded>
    </FormDialog>
  );
}

interface ChosenProps {
  readonly templates: readonly Template[];
  readonly template: Template;
  readonly onChoose: (key: string) => void;
}

function Chosen({ templates, template, onChoose }: ChosenProps) {
  const { text, header, body } = templateText(template.components);
  return (
    <>
      <ChoiceField
        label="Template"
        name="template"
        value={keyOf(template)}
        onChange={({ target }) => onChoose(target.value)}
      >
        {templates.map((one) => (
          <option key={keyOf(one)}>{keyOf(one)}</option>
        ))}
      </ChoiceField>
      <p className="template-text">{text}</p>
      {(["header", "body"] as const).flatMap((part) =>
        ({ header, body })[part].map((blank) => (
          <Field
            key={`${keyOf(template)} ${part} ${blank}`}
            label={part === "header" ? `{{${blank}}} in the header` : `{{${blank}}}`}
            name={`${part}-${blank}`}
            maxLength={1_024}
            autoComplete="off"
            required
          />
        )),
      )}
    </>
  );
}
