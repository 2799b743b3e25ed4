import { type FormEvent, type RefObject, useEffect, useEffectEvent, useId, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/messages.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { KeyGrid } from "./key-grid.tsx";
import { readNumber } from "./phone-number.ts";
import { useSoftphone } from "./softphone-context.ts";

interface DialFormProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Where a number is typed, pasted or keyed in, and called. */
export function DialForm({ field, text, onText }: DialFormProps) {
  const { actions, numbers } = useSoftphone();
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const { from } = numbers;
  const number = readNumber(text, from);
  const isNumberless = numbers.numbers?.length === 0;
  // While the numbers load, the button works, and a press is held until they are here.
  const [isHeld, hold] = useState(false);
  const dialNow = (): void => {
    hold(false);
    const wrong = "problem" in number ? number.problem : undefined;
    setProblem(wrong);
    if (wrong === undefined && !("problem" in number)) actions.dial(number.e164);
    else field.current?.focus();
  };
  const dial = (event: FormEvent): void => {
    event.preventDefault();
    if (isNumberless) return;
    if (from !== undefined) dialNow();
    else {
      hold(numbers.problem === undefined);
      setProblem(numbers.problem);
    }
  };
  const onNumbers = useEffectEvent((isHere: boolean) => {
    if (!isHeld) return;
    if (isHere) dialNow();
    else {
      hold(false);
      setProblem(numbers.problem);
    }
  });
  useEffect(() => {
    if (from !== undefined) onNumbers(true);
    else if (numbers.problem !== undefined || isNumberless) onNumbers(false);
  }, [from, numbers.problem, isNumberless]);
  const change = (after: string): void => {
    hold(false);
    setProblem(undefined);
    onText(after);
  };
  return (
    <form className="pf-card panel phone-dial" onSubmit={dial} noValidate aria-label="Dial">
      <OwnNumber />
      <div className="field">
        <label htmlFor={id}>Number to call</label>
        <div className="field-row">
          <input
            ref={field}
            id={id}
            className="pf-input phone-number"
            type="tel"
            inputMode="tel"
            autoComplete="off"
            placeholder="+1 202 555 0123"
            value={text}
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}-hint`}
            onChange={(event) => change(event.target.value)}
          />
          <button
            type="button"
            className="pf-btn"
            data-tip="Erase the last digit"
            disabled={text === ""}
            onClick={() => change(text.slice(0, -1))}
          >
            <Icon name="erase" />
            <span className="only-heard">Erase the last digit</span>
          </button>
        </div>
        <p id={`${id}-hint`} className="pf-muted field-hint">
          {hintOf(number)}
        </p>
      </div>
      {problem && <Problem>{problem}</Problem>}
      <p role="status" className="pf-muted">
        {isHeld && "Calling as soon as the numbers to call from are here…"}
      </p>
      <KeyGrid label="Dial pad" onPress={(digit) => change(text + digit)} />
      <button type="submit" className="pf-btn phone-go" disabled={isNumberless}>
        <Icon name="phone" /> Call
      </button>
    </form>
  );
}

function hintOf(number: ReturnType<typeof readNumber>): string {
  if ("problem" in number) return "Spaces and dashes are fine. Press Enter to call.";
  const dialed = `Calls ${phoneText(number.e164)}.`;
  return number.extension === undefined
    ? dialed
    : `${dialed} The extension ${number.extension} is not dialed: press it when someone answers.`;
}

/** Chooses which of the organization's numbers the other side sees. */
function OwnNumber() {
  const { numbers } = useSoftphone();
  const { from, choose } = numbers;
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Call from</label>
      <select
        id={id}
        className="pf-select"
        value={from ?? ""}
        onChange={(event) => choose(event.target.value)}
      >
        {numbers.numbers?.length === 0 && <option value="">No number yet</option>}
        {numbers.numbers?.map(({ id: key, number, label }) => (
          <option key={key} value={number}>
            {label === "" ? phoneText(number) : `${phoneText(number)}, ${label}`}
          </option>
        ))}
      </select>
    </div>
  );
}
