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
    | "bad_node";
  /** The node at fault; null: the flow as a whole. */
  readonly node: string | null;
  /** The field at fault within the flow, such as `edges.3.to`; absent: the node as a whole. */
  readonly field?: string;
  /** What is wrong and what to change; names the node. */
  readonly text: string;
}
