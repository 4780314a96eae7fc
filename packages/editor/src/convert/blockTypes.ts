/** How the types of blocks correspond to nodes of the editor. */

/** The containers whose nodes are blocks, with the type of their children if it is not any block. */
export const containers: Readonly<Record<string, { readonly child?: string }>> = {
  blockquote: {},
  hint: {},
  if: {},
  "list-ordered": { child: "list-item" },
  "list-unordered": { child: "list-item" },
  "list-tasks": { child: "list-item" },
  "list-item": {},
  tabs: { child: "tabs-item" },
  "tabs-item": {},
  stepper: { child: "stepper-step" },
  "stepper-step": {},
  columns: { child: "column" },
  column: {},
  updates: { child: "update" },
  update: {}
}

/** The types of blocks whose nodes are `isVoid` in documents. */
const voidTypes = new Set(
  `divider table expandable image embed file reusable-content content-ref drawing math swagger openapi-operation
  openapi-webhook openapi-schemas integration`.split(/\s+/)
)

/** Returns the fields of a new node of a type, besides the fields that its content determines. */
export const defaultRest = (type: string): { readonly isVoid?: boolean } =>
  voidTypes.has(type) ? { isVoid: true } : type === "images" || type === "columns" ? { isVoid: false } : {}

/** The types of blocks that documents require to have `data`, with its value for new blocks. */
export const defaultData: Readonly<Record<string, object>> = {
  "heading-1": {},
  "heading-2": {},
  "heading-3": {},
  divider: {},
  code: {},
  "code-line": {},
  images: {},
  hint: { style: "info" },
  "tabs-item": {},
  "stepper-step": {},
  columns: {},
  column: {},
  updates: {},
  update: {},
  expandable: {},
  if: { expression: "true" },
  image: { ref: { kind: "url", url: "" } },
  embed: { url: "" },
  file: { ref: { kind: "url", url: "" } },
  math: { formula: "" },
  drawing: {}
}

/** Returns the name of the node of the editor for a type of block. */
export const nameOfType = (type: string): string => type.replaceAll("-", "_")

/** Returns the type of block for the name of a node of the editor. */
export const typeOfName = (name: string): string => name.replaceAll("_", "-")
