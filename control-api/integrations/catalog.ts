import type { IntegrationProvider } from "@parley/shared/contracts/integrations.ts";
import { CAPABILITIES } from "./capabilities/all.ts";
import { formsOf } from "./connections/input.ts";
import { type Connector, capabilitiesOf } from "./connector.ts";

/** A connector as the catalog shows it: all that a form needs. */
export function toProvider(connector: Connector): IntegrationProvider {
  const { id, name, category, about, authKind, docsUrl } = connector;
  const forms = formsOf(connector).filter(({ fields }) => fields.length > 0);
  return {
    providerId: id,
    name,
    category,
    description: about,
    authKind,
    docsUrl,
    connect: {
      credentials: connector.credentials.map(({ key, label, help, form, isOptional, isPublic }) => ({
        key,
        label,
        required: form === undefined && isOptional !== true,
        secret: isPublic !== true,
        help,
      })),
      forms: forms.map(({ name: form, fields }) => ({
        name: form,
        keys: fields.map(({ key }) => key),
        required: fields.filter(({ isOptional }) => isOptional !== true).map(({ key }) => key),
      })),
      settings: connector.settings.map(({ key, label, isOptional, placeholder, help, isLong }) => ({
        key,
        label,
        required: isOptional !== true,
        placeholder,
        help,
        multiline: isLong === true,
      })),
    },
    capabilities: capabilitiesOf(connector).map((capability) => {
      const { name: title, description } = CAPABILITIES[capability];
      return { capability, name: title, description };
    }),
  };
}
