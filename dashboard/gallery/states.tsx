import { StateBadge, StatusBadge } from "../features/webhooks/badges.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Problem, Success } from "../ui/messages.tsx";
import { SecretText } from "../ui/secret-text.tsx";
import { loading, refused } from "./loads.ts";
import { Specimen, SpecimenGroup } from "./specimen.tsx";

/** What is read: messages, badges, and data that is on its way. */
export function StateSpecimens() {
  return (
    <>
      <SpecimenGroup title="Messages">
        <Specimen name="problem">
          <Problem>The name is already in use.</Problem>
        </Specimen>
        <Specimen name="success">
          <Success>Saved.</Success>
        </Specimen>
        <Specimen name="warning">
          <p className="message message-warn">Calls to you do not ring here just now.</p>
        </Specimen>
      </SpecimenGroup>
      <SpecimenGroup title="Badges">
        <Specimen name="badge">
          <span className="pf-badge">revoked</span>
        </Specimen>
        {(["healthy", "quiet", "failing", "disabled"] as const).map((kind) => (
          <Specimen key={kind} name={`endpoint ${kind}`}>
            <StateBadge kind={kind} />
          </Specimen>
        ))}
        {(["delivered", "pending", "failed", "dead"] as const).map((status) => (
          <Specimen key={status} name={`delivery ${status}`}>
            <StatusBadge status={status} />
          </Specimen>
        ))}
      </SpecimenGroup>
      <SpecimenGroup title="Data">
        <Specimen name="loading">
          <Loaded of={{ ...loading, data: undefined }}>{() => null}</Loaded>
        </Specimen>
        <Specimen name="not loaded">
          <Loaded of={{ ...refused, data: undefined }}>{() => null}</Loaded>
        </Specimen>
        <Specimen name="code">
          <CodeBlock label="Request" text={'curl -X POST "https://example.com"'} />
        </Specimen>
        <Specimen name="secret">
          <SecretText label="API key" text="parley_live_0123456789" />
        </Specimen>
      </SpecimenGroup>
    </>
  );
}
