import type { ComponentProps } from "react";
import { Field, PasswordField } from "./field.tsx";

interface IdentifierFieldProps {
  readonly defaultValue?: string;
  readonly hint?: string;
}

/** An email address or phone number, marked up for password managers. */
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

type CodeFieldProps = Partial<ComponentProps<typeof Field>>;

/** A six-digit code, sent or from an app; phones autofill it. */
export function CodeField({ label = "6-digit code", name = "code", ...field }: CodeFieldProps) {
  return (
    <Field
      label={label}
      name={name}
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="\s*[0-9]{6}\s*"
      title="six digits"
      required
      {...field}
    />
  );
}

type NewPasswordFieldProps = Partial<ComponentProps<typeof PasswordField>>;

/** A new password; the API decides whether it is good enough. */
export function NewPasswordField({
  label = "Password",
  name = "password",
  hint = "At least 8 characters.",
  ...field
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
      {...field}
    />
  );
}
