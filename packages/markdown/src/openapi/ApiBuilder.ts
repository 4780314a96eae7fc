/** The builder of a display of an API, so that the reader and the editor print the same: HTML in one, elements in the other. */
import type { Constraint } from "./schemas.ts"

/** The names of the elements of a display. */
export type ApiElementName =
  | "button"
  | "code"
  | "dd"
  | "details"
  | "div"
  | "dl"
  | "dt"
  | "li"
  | "p"
  | "section"
  | "span"
  | "summary"
  | "ul"

/** The attributes of an element. An attribute that is `undefined` or `false` is absent; `true` has no value. */
export type ApiAttributes = {
  readonly class?: string
  readonly id?: string
  readonly open?: boolean
  readonly role?: string
  readonly tabindex?: string | undefined
  readonly type?: string
  readonly "aria-controls"?: string
  readonly "aria-hidden"?: string
  readonly "aria-label"?: string
  readonly "aria-labelledby"?: string
  readonly "aria-selected"?: string
}

/** The content of an element. Strings are text; `undefined` and `false` are nothing. */
export type ApiContent<Node> = Node | string | undefined | false | ReadonlyArray<ApiContent<Node>>

/** The words of a display. */
export type ApiMessages = {
  /** The titles of the parts of a request. */
  readonly parameters: { readonly [place in "path" | "query" | "header" | "cookie" | "body"]: string }
  /** The sentence of a display that omits details, which the document has. */
  readonly incomplete: string
} & {
  readonly [name in
    | "authorization"
    | "responses"
    | "request"
    | "response"
    | "required"
    | "deprecated"
    | "properties"
    | "callbacks"
    | Constraint["kind"]]: string
}

/** Creates the nodes of a display. */
export interface ApiBuilder<Node> {
  /** The words, in the language of the page. */
  readonly messages: ApiMessages
  /** Creates an element. */
  readonly element: (
    name: ApiElementName,
    attributes: ApiAttributes,
    ...content: ReadonlyArray<ApiContent<Node>>
  ) => Node
  /** Creates the icon of something that can be expanded. */
  readonly chevron: () => ApiContent<Node>
  /** Creates the heading of an operation or a schema. */
  readonly heading: (id: string, title: string) => Node
  /** Creates the display of a description in Markdown, which has markup. */
  readonly markdown: (text: string) => ApiContent<Node>
  /** Creates a block of code. */
  readonly code: (text: string, syntax: string | undefined) => Node
  /** Takes the colors of code with a number of characters. Returns whether it has colors. */
  readonly takeColors: (length: number) => boolean
  /** Creates the link to the document, for displays that omit details. */
  readonly documentLink: () => ApiContent<Node>
  /** Returns an id that no other element has. */
  readonly componentId: (kind: string) => string
}

/** Whether content displays nothing. */
export const isEmpty = <Node>(content: ApiContent<Node>): boolean =>
  content === undefined ||
  content === false ||
  content === "" ||
  (Array.isArray(content) && content.every((part) => isEmpty(part)))
