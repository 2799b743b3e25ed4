import type { CallerNoise, RehearsalMode } from "@parley/shared/contracts/spoken-rehearsals.ts";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { ChoiceField } from "../../ui/field.tsx";

/** How rehearsals are held. */
export interface RehearsalManner {
  readonly mode: RehearsalMode;
  readonly place: CallerNoise["sound"] | "quiet";
  readonly loudness: keyof typeof LOUDNESSES;
}

export const IN_TEXT: RehearsalManner = { mode: "text", place: "quiet", loudness: "soft" };

const MODES = [
  { value: "text", name: "In text" },
  { value: "speech", name: "In speech" },
] as const;
const PLACES = {
  quiet: "A quiet room",
  office: "An office",
  cafe: "A café",
  "call-center": "A call center",
} as const;
/** In dB of the contract's `volumeDb`. */
const LOUDNESSES = { soft: 0, clear: 8, loud: 15 } as const;
const LOUDNESS_NAMES = { soft: "Softly", clear: "Clearly", loud: "Loudly" } as const;

interface MannerChoiceProps {
  readonly how: RehearsalManner;
  readonly onChange: (how: RehearsalManner) => void;
}

/** Chooses between text and speech, and for speech where the caller is. */
export function MannerChoice({ how, onChange }: MannerChoiceProps) {
  const { mode, place, loudness } = how;
  return (
    <>
      <ChoiceBar
        label="How they are held"
        options={MODES}
        chosen={mode}
        onChoose={(chosen) => onChange({ ...how, mode: chosen })}
      />
      {mode === "speech" && (
        <ChoiceField
          label="Where the caller is"
          name="place"
          value={place}
          onChange={({ target }) => onChange({ ...how, place: target.value as RehearsalManner["place"] })}
        >
          <Options of={PLACES} />
        </ChoiceField>
      )}
      {mode === "speech" && place !== "quiet" && (
        <ChoiceField
          label="How loud it is there"
          name="loudness"
          value={loudness}
          onChange={({ target }) => onChange({ ...how, loudness: target.value as keyof typeof LOUDNESSES })}
        >
          <Options of={LOUDNESS_NAMES} />
        </ChoiceField>
      )}
    </>
  );
}

function Options({ of }: { readonly of: Readonly<Record<string, string>> }) {
  return Object.entries(of).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
}

/** The part of the request that says how. */
export function askedOf({ mode, place, loudness }: RehearsalManner) {
  if (mode === "text") return {};
  if (place === "quiet") return { mode };
  return { mode, noise: { sound: place, volumeDb: LOUDNESSES[loudness] } };
}
