import { Tabs } from "@base-ui/react/tabs";
import { CodeBlock } from "./code-block.tsx";

interface CodeTabsProps {
  /** What the samples differ in, such as their language. */
  readonly label: string;
  readonly samples: readonly { readonly name: string; readonly label: string; readonly text: string }[];
}

/** The same code in several languages, one of which is shown. */
export function CodeTabs({ label, samples }: CodeTabsProps) {
  return (
    <Tabs.Root defaultValue={samples[0]?.name ?? null} className="code-tabs">
      <Tabs.List aria-label={label} className="choice-bar" activateOnFocus>
        {samples.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {samples.map((sample) => (
        <Tabs.Panel key={sample.name} value={sample.name} tabIndex={-1}>
          <CodeBlock label={sample.label} text={sample.text} />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}
