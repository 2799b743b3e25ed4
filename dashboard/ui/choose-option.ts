/** Chooses an option as a person would: whoever listens to the field hears of it. */
export function chooseOption(select: HTMLSelectElement, value: string): void {
  if (value === select.value) return;
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value")?.set?.call(select, value);
  for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
}

/** The first option that begins with what was typed, in any case; undefined if nothing was. */
export function optionThatBegins(select: HTMLSelectElement, typed: string): HTMLOptionElement | undefined {
  const sought = typed.toLocaleLowerCase();
  if (sought === "") return undefined;
  return [...select.options].find(
    ({ text, disabled }) => !disabled && text.toLocaleLowerCase().startsWith(sought),
  );
}
