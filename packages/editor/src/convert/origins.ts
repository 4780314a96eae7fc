/** The blocks that nodes were read from or written to. Nodes are immutable, so that an unchanged node has the same block. */
import type { Node } from "prosemirror-model"
import type { DocumentNode } from "./json.ts"

/** The blocks of nodes. */
export const origins = new WeakMap<Node, DocumentNode>()
