/**
 * Lets the app focus its elements, except while somebody types in the dashboard: a browser moves the focus into a frame
 * whenever a script there asks for it. Returns the function that says whether it may.
 */
export function politeFocus(): (may: boolean) => void {
  let mayFocus = true;
  const whenAllowed = <A extends unknown[]>(method: (...given: A) => void) =>
    function (this: unknown, ...given: A): void {
      if (mayFocus || document.hasFocus()) method.apply(this, given);
    };
  const seal = (target: object, name: string, method: (...given: never[]) => void): void =>
    void Object.defineProperty(target, name, {
      value: whenAllowed(method),
      writable: false,
      configurable: false,
    });
  seal(window, "focus", window.focus);
  for (const { prototype } of [HTMLElement, SVGElement, MathMLElement])
    seal(prototype, "focus", prototype.focus);
  for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement])
    seal(prototype, "select", prototype.select);
  return (may) => {
    mayFocus = may;
  };
}
