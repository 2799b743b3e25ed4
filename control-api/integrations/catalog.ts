import type { CapabilityEntry, IntegrationProvider } from "@parley/shared/contracts/integrations.ts";
import { z } from "zod";
import { CAPABILITIES, type CapabilityId } from "./capabilities/all.ts";
import { formsOf } from "./connections/input.ts";
import { type Connector, capabilitiesOf } from "./connector.ts";

/** A connector as the catalog shows it: all that a form needs. `consent`: people may sign in at the vendor instead. */
export function toProvider(
  connector: Connector,
  { consent }: { readonly consent: boolean },
): IntegrationProvider {
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
      consent,
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

/** The capabilities that these connectors serve. */
export function toCapabilities(connectors: Iterable<Connector>): CapabilityEntry[] {
  const all = [...connectors];
  return Object.entries(CAPABILITIES).flatMap(
    ([capability, { name, description, isWrite, arguments: given }]) => {
      const serving = all.filter((connector) =>
        capabilitiesOf(connector).includes(capability as CapabilityId),
      );
      if (serving.length === 0) return [];
      const { $schema: _, ...schema } = z.toJSONSchema(given, { io: "input", unrepresentable: "any" });
      return [
        {
          capability,
          name,
          description,
          isWrite,
          arguments: schema,
          providerIds: serving.map(({ id }) => id),
        },
      ];
    },
  );
}
