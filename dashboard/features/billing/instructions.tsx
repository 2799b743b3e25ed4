/** Bank transfer instructions. */
export function Instructions({ text }: { readonly text: string }) {
  return (
    <div role="status">
      {text.split("\n").map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
