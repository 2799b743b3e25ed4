/** Why a flow cannot be used as it is. */
export interface FlowFault {
  readonly code:
    | "unknown_node"
    | "unreachable"
    | "no_way_out"
    | "endless_loop"
    | "missing_variable"
    | "unknown_tool"
    | "no_model"
    | "bad_node"
    | "unknown_agent";
  /** The node it is about; null: the flow. */
  readonly node: string | null;
  /** What is wrong and what to change, the node named. */
  readonly text: string;
}
