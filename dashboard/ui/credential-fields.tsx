import { Field, PasswordField } from "./field.tsx";

interface IdentifierFieldProps {
  readonly defaultValue?: string;
  readonly hint?: string;
}

/** Who: an address or a number, as password managers know it. */
export function IdentifierField(props: IdentifierFieldProps) {
  return (
    <Field
      label="Email or mobile number"
      name="identifier"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...props}
    />
  );
}

interface CodeFieldProps {
  readonly label?: string;
  readonly name?: string;
}

/** Six digits, sent or shown by an app; phones offer them by themselves. */
export function CodeField({ label = "Code of six digits", name = "code" }: CodeFieldProps) {
  return (
    <Field
      label={label}
      name={name}
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="\s*[0-9]{6}\s*"
      title="six digits"
      required
    />
  );
}

interface NewPasswordFieldProps {
  readonly label?: string;
  readonly name?: string;
  readonly hint?: string;
}

/** A password to be set; the API has the last word on what is good enough. */
export function NewPasswordField({
  label = "Password",
  name = "password",
  hint = "At least 8 characters.",
}: NewPasswordFieldProps) {
  return (
    <PasswordField
      label={label}
      name={name}
      autoComplete="new-password"
      minLength={8}
      maxLength={256}
      hint={hint}
      required
    />
  );
}
