/** The display of a part of an OpenAPI document as data, which a worker creates and sends to the page. */
import {
  type ApiBuilder,
  type ApiContent,
  type ApiMessages,
  OpenApiDocument
} from "@lectern/markdown/openapi"
import { type ApiPart, maximumMarkdown } from "../apiPart.ts"
import { common, createLowlight } from "../codeColors.ts"
import { rangesOfCode } from "../codeRanges.ts"
import { blocksFromMarkdown } from "../markdown.ts"
import type { Document } from "../model.ts"
import type { Ranges } from "../Ranges.ts"
import { renderPart } from "./renderPart.ts"

/** The attributes of an element that are set. */
export type TreeAttributes = Readonly<Record<string, string | true>>

/** A node of a display. */
export type ApiTree =
  | string
  | {
      readonly kind: "element"
      readonly name: Parameters<ApiBuilder<never>["element"]>[0]
      readonly attributes: TreeAttributes
      readonly content: ReadonlyArray<ApiTree>
    }
  | { readonly kind: "chevron" }
  | { readonly kind: "heading"; readonly title: string }
  | { readonly kind: "blocks"; readonly document: Document }
  | { readonly kind: "code"; readonly text: string; readonly ranges: Ranges }

const addContent = (into: Array<ApiTree>, content: ApiContent<ApiTree>): void => {
  if (content === undefined || content === false || content === "") return
  if (Array.isArray(content)) for (const part of content) addContent(into, part as ApiContent<ApiTree>)
  else into.push(content as ApiTree)
}

const contentOf = (content: ApiContent<ApiTree>): ReadonlyArray<ApiTree> => {
  const found: Array<ApiTree> = []
  addContent(found, content)
  return found
}

/** Options of {@link renderApiTree}. */
export interface ApiTreeOptions {
  /** The words, in the language of the page. */
  readonly messages: ApiMessages
  /** The prefix of the ids of elements, which no other display has. */
  readonly prefix: string
}

const makeTreeBuilder = ({ messages, prefix }: ApiTreeOptions): ApiBuilder<ApiTree> => {
  let markdownLeft = maximumMarkdown
  let lastId = 0
  const lowlight = createLowlight(common)
  const elementOf: ApiBuilder<ApiTree>["element"] = (name, attributes, ...content) => {
    const set: Record<string, string | true> = {}
    for (const [key, value] of Object.entries(attributes))
      if (value !== undefined && value !== false) set[key] = value
    return { kind: "element", name, attributes: set, content: contentOf(content) }
  }
  return {
    messages,
    element: elementOf,
    chevron: () => ({ kind: "chevron" }),
    heading: (_, title) => ({ kind: "heading", title }),
    markdown: (text) => {
      if (text.length > markdownLeft) return elementOf("p", {}, text)
      markdownLeft -= text.length
      return { kind: "blocks", document: blocksFromMarkdown(text) }
    },
    code: (given, syntax = "") => {
      const text = given.replace(/\n$/, "")
      return { kind: "code", text, ranges: rangesOfCode(lowlight, syntax.toLowerCase(), text) }
    },
    takeColors: () => true,
    documentLink: () => undefined,
    componentId: (kind) => `${prefix}-${kind}-${++lastId}`
  }
}

/** Opens a document; `undefined` if it is not an object. */
export const openApiOf = (document: unknown): OpenApiDocument | undefined =>
  typeof document === "object" && document !== null && !Array.isArray(document)
    ? new OpenApiDocument(document as Readonly<Record<string, unknown>>, {})
    : undefined

/** Renders a part of a document as data; `undefined` if the document does not have it. */
export const renderApiTree = (
  document: OpenApiDocument,
  part: ApiPart,
  options: ApiTreeOptions
): ReadonlyArray<ApiTree> | undefined => renderPart(makeTreeBuilder(options), document, part)
