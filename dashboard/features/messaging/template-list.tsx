import { Loaded } from "../../ui/loaded.tsx";
import { templateText } from "./template-text.ts";
import { useTemplates } from "./use-channels.ts";

/** Templates of a number's business account; they are written and approved at Meta. */
export function TemplateList({ channelId }: { readonly channelId: string }) {
  const loaded = useTemplates(channelId);
  return (
    <section className="pf-card panel" aria-labelledby="templates">
      <h2 id="templates">Templates</h2>
      <p className="pf-muted">
        The only messages that WhatsApp takes more than 24 hours after a contact wrote. You write them in
        WhatsApp Manager; Meta approves them.
      </p>
      <Loaded of={loaded}>
        {(templates) =>
          templates.length === 0 ? (
            <p>No templates yet.</p>
          ) : (
            <ul className="template-list">
              {templates.map(({ name, language, status, category, components }) => (
                <li key={`${name} ${language}`}>
                  <p className="row row-spread">
                    <strong>{name}</strong>
                    <span className="pf-muted">
                      {[language, inWords(category), inWords(status)].join(" · ")}
                    </span>
                  </p>
                  <p className="template-text">{templateText(components).text}</p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

/** One of Meta's constants, such as `PENDING_DELETION`. */
function inWords(constant: string): string {
  return constant.charAt(0) + constant.slice(1).toLowerCase().replaceAll("_", " ");
}
