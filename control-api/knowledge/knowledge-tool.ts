import type { KnowledgeTool } from "@parley/shared/contracts/tools/knowledge.ts";
import { z } from "zod";
import type { Database } from "../database/open.ts";
import type { ToolDescription, ToolExecutor, ToolFault, ToolOutcome, ToolRun } from "../tools/executor.ts";
import { knownBases } from "./bases/store.ts";
import { findBases, type KnowledgeQuery, type SearchKnowledge } from "./search/search.ts";

const MAX_QUERY_CHARS = 1_000;
const argumentsSchema = z.object({ query: z.string().trim().min(1) });

const DESCRIPTION =
  "Looks something up in the organization's own documents. Ask it whenever the answer depends on facts about the organization, its products, prices, terms or procedures, and answer by what it gives. If it gives nothing that fits, say that you do not know.";

export interface KnowledgeToolsDeps {
  readonly database: Database;
  readonly search: SearchKnowledge;
}

/** Agents' tools that search knowledge bases. */
export function knowledgeTools({ database, search }: KnowledgeToolsDeps): ToolExecutor<KnowledgeTool> {
  return {
    describe: async (tool) => describe(tool),
    faults: (tool, orgId) => faultsOf(tool, orgId, database),
    run: (tool, run) => lookUp(tool, run, { database, search }),
    prepare: (tool, orgId) => {
      const bases = findBases(database, { orgId, baseIds: tool.knowledgeBaseIds });
      // Whoever runs the tool sees a failure; another process may run it.
      bases.catch(() => undefined);
      return (run) => lookUp(tool, run, { database, search, bases });
    },
  };
}

interface LookUpDeps extends KnowledgeToolsDeps {
  readonly bases?: KnowledgeQuery["bases"];
}

async function lookUp(
  { knowledgeBaseIds, maxPassages }: KnowledgeTool,
  { orgId, arguments: given }: ToolRun,
  { database, search, bases }: LookUpDeps,
): Promise<ToolOutcome> {
  const parsed = argumentsSchema.safeParse(given);
  if (!parsed.success) {
    const error = { code: "bad_arguments", message: "Give the question or its key words as `query`." };
    return { status: "error", result: { error } };
  }
  const text = parsed.data.query.slice(0, MAX_QUERY_CHARS);
  const query = { orgId, baseIds: knowledgeBaseIds, bases, text, limit: maxPassages };
  const passages = await search(database, query);
  return {
    status: "success",
    result: {
      passages: passages.map(({ document, heading, text, url }) => ({
        document,
        ...(heading === "" ? {} : { heading }),
        text,
        ...(url === null ? {} : { url }),
      })),
    },
  };
}

function describe({ description }: KnowledgeTool): ToolDescription {
  return {
    description: description ?? DESCRIPTION,
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", description: "The question in full, with the words that matter." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    effect: "read",
  };
}

async function faultsOf(
  { knowledgeBaseIds }: KnowledgeTool,
  orgId: string,
  database: Database,
): Promise<ToolFault[]> {
  const known = await knownBases(database, orgId, knowledgeBaseIds);
  const unknown = knowledgeBaseIds.filter((id) => !known.includes(id));
  if (unknown.length === 0) return [];
  return [
    {
      field: "knowledgeBaseIds",
      text: `there is no knowledge base ${unknown.join(", ")} in this organization`,
    },
  ];
}
