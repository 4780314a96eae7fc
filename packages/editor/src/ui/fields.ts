/** The settings of blocks and inline nodes, as fields of a form. */

/** Where the value of a field is: in `data`, in `rest`, in the view of a table, or in the attributes of the node. */
export type FieldPlace = "data" | "rest" | "view" | "attribute"

/** The kind of the values that a text field offers. */
export type Suggestions = "specs" | "operations" | "schemas" | "integrations" | "blocks"

/** A field of a form. */
export interface Field {
  readonly name: string
  /** The name of its label in the messages. */
  readonly label: string
  readonly kind:
    | "text"
    | "lines"
    | "flag"
    | "choice"
    | "list"
    | "link"
    | "image"
    | "reusable"
    | "number"
    | "length"
    | "code"
    | "properties"
  readonly choices?: ReadonlyArray<string>
  readonly place?: FieldPlace
  /** Whether the field always has a value, even an empty one. */
  readonly isRequired?: boolean
  /** A pattern that the text must match. */
  readonly pattern?: RegExp
  /** The values that the field offers. It takes others, too. */
  readonly suggestions?: Suggestions
}

const icon: Field = { name: "icon", label: "icon", kind: "text", pattern: /^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/ }
const fullWidth: Field = { name: "fullWidth", label: "fullWidth", kind: "flag" }
const align: Field = {
  name: "align",
  label: "alignment",
  kind: "choice",
  choices: ["", "start", "center", "end"]
}
const spec: Field = {
  name: "ref.spec",
  label: "spec",
  kind: "text",
  isRequired: true,
  suggestions: "specs"
}
const path: Field = {
  name: "path",
  label: "path",
  kind: "text",
  isRequired: true,
  suggestions: "operations"
}
/** The names that Markdown can have in the tag of a block. */
const integrationName = { kind: "text", isRequired: true, pattern: /^[A-Za-z0-9][\w.-]{0,63}$/ } as const
const method: Field = {
  name: "method",
  label: "method",
  kind: "choice",
  choices: ["get", "post", "put", "patch", "delete", "head", "options", "trace"],
  isRequired: true
}
const image: Field = { name: "ref", label: "image", kind: "image", isRequired: true }
const alt: Field = { name: "alt", label: "alt", kind: "text" }
const width: Field = { name: "width", label: "width", kind: "length" }
const date: Field = { name: "date", label: "date", kind: "text" }
const sizes: ReadonlyArray<string> = ["medium", "large"]

/** The fields of nodes, by the name of the node. */
export const fieldsOf: Readonly<Record<string, ReadonlyArray<Field>>> = {
  paragraph: [align],
  heading: [
    { name: "anchor", label: "anchor", kind: "text", pattern: /^[^\s"]*$/ },
    align,
    {
      name: "level",
      label: "level",
      kind: "choice",
      choices: ["1", "2", "3", "4", "5", "6"],
      place: "attribute",
      isRequired: true
    }
  ],
  code: [
    { name: "title", label: "title", kind: "text" },
    { name: "syntax", label: "language", kind: "text" },
    { name: "lineNumbers", label: "lineNumbers", kind: "flag" },
    { name: "overflow", label: "overflow", kind: "choice", choices: ["", "scroll", "wrap"] },
    { name: "expandable", label: "collapsible", kind: "flag" },
    fullWidth
  ],
  list_ordered: [{ name: "start", label: "start", kind: "number" }],
  hint: [
    {
      name: "style",
      label: "style",
      kind: "choice",
      choices: ["info", "success", "warning", "danger"],
      isRequired: true
    },
    icon
  ],
  tabs: [fullWidth],
  tabs_item: [{ name: "title", label: "title", kind: "text" }, icon],
  stepper_step: [icon],
  columns: [fullWidth],
  column: [
    width,
    {
      name: "verticalAlignment",
      label: "verticalAlignment",
      kind: "choice",
      choices: ["", "top", "middle", "bottom"]
    }
  ],
  if: [
    {
      name: "expression",
      label: "condition",
      kind: "code",
      isRequired: true,
      pattern: /^(?!\s)[^\n]+(?<!\s)$/
    }
  ],
  updates: [{ name: "format", label: "dateFormat", kind: "text" }],
  update: [date, { name: "tags", label: "tags", kind: "list" }],
  expandable: [{ name: "open", label: "isOpen", kind: "flag", place: "rest" }],
  images: [
    { name: "align", label: "alignment", kind: "choice", choices: ["", "left", "center", "right"] },
    { name: "withFrame", label: "frame", kind: "flag" },
    fullWidth
  ],
  image: [image, alt, width, { name: "refDark", label: "darkImage", kind: "image" }],
  embed: [{ name: "url", label: "url", kind: "text", isRequired: true }, fullWidth],
  file: [{ ...image, label: "file" }],
  drawing: [image, alt],
  content_ref: [
    { name: "ref", label: "target", kind: "link", isRequired: true },
    { name: "label", label: "label", kind: "text" }
  ],
  reusable_content: [{ name: "ref", label: "reusable", kind: "reusable", isRequired: true }],
  math: [{ name: "formula", label: "formula", kind: "code", isRequired: true }],
  swagger: [
    { ...image, label: "specFile" },
    path,
    method,
    { name: "expanded", label: "isOpen", kind: "flag" },
    fullWidth
  ],
  openapi_operation: [spec, path, method],
  openapi_webhook: [spec, { ...path, name: "name", label: "name" }, method],
  openapi_schemas: [
    spec,
    { name: "schemas", label: "schemas", kind: "list", isRequired: true, suggestions: "schemas" },
    { name: "grouped", label: "grouped", kind: "flag" }
  ],
  integration: [
    { ...integrationName, name: "integration", label: "integration", suggestions: "integrations" },
    { ...integrationName, name: "block", label: "block", suggestions: "blocks" },
    { name: "url", label: "url", kind: "text" },
    fullWidth,
    { name: "props", label: "properties", kind: "properties", isRequired: true }
  ],
  table: [
    {
      name: "type",
      label: "view",
      kind: "choice",
      choices: ["grid", "cards"],
      place: "view",
      isRequired: true
    },
    { name: "cardSize", label: "cardSize", kind: "choice", choices: sizes, place: "view" },
    { name: "hideHeader", label: "hideHeader", kind: "flag", place: "view" },
    { name: "search", label: "search", kind: "flag" },
    fullWidth
  ],
  inline_image: [
    image,
    alt,
    { name: "caption", label: "caption", kind: "text" },
    width,
    { name: "refDark", label: "darkImage", kind: "image" },
    { name: "size", label: "size", kind: "choice", choices: ["", "original", "line"] }
  ],
  inline_math: [{ name: "formula", label: "formula", kind: "code", isRequired: true }],
  icon: [{ ...icon, isRequired: true }],
  expression: [{ name: "expression", label: "expression", kind: "code", isRequired: true }],
  mention: [{ name: "ref", label: "target", kind: "link", isRequired: true }],
  button: [
    { name: "label", label: "label", kind: "text", isRequired: true },
    { name: "kind", label: "style", kind: "choice", choices: ["primary", "secondary"], isRequired: true },
    { name: "ref", label: "target", kind: "link", isRequired: true },
    icon,
    { name: "action", label: "action", kind: "choice", choices: ["", "search", "ask"] },
    { name: "query", label: "query", kind: "text" }
  ]
}
