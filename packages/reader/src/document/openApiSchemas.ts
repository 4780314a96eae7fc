/** Renders schemas of an API: types, constraints, and nested properties that readers expand. */

import {
  alternativesOf,
  constraintsOf,
  isObject,
  type Json,
  type OpenApiDocument,
  type OperationDetail,
  propertiesOf,
  textOf,
  typeOf
} from "@lectern/formats/openapi"
import { type Content, element, fragment, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import type { Renderer } from "./Renderer.ts"

/** Renders Markdown of a description. */
export type RenderMarkdown = (markdown: string) => Html

/** The maximum depth of nested properties. */
const maximumDepth = 6

/** Renders the schemas of one operation. */
export class SchemaRenderer {
  private readonly renderer: Renderer
  private readonly document: OpenApiDocument
  private readonly markdown: RenderMarkdown
  private readonly detail: OperationDetail

  constructor(
    renderer: Renderer,
    document: OpenApiDocument,
    markdown: RenderMarkdown,
    detail: OperationDetail
  ) {
    this.renderer = renderer
    this.document = document
    this.markdown = markdown
    this.detail = detail
  }

  /** Renders one value: its name, type, description, constraints, and the properties below it. */
  renderProperty(
    name: string,
    given: unknown,
    isRequired: boolean,
    description: string,
    depth: number,
    above: ReadonlyArray<unknown>
  ): Html {
    const { messages } = this.renderer.context
    const schema = this.document.object(given) ?? {}
    const text =
      description || textOf(isObject(given) ? given.description : undefined) || textOf(schema.description)
    const constraints = constraintsOf(schema)
    const characters = constraints.reduce((sum, { values }) => sum + values.join(", ").length, name.length)
    if (!this.detail.takeProperty(depth, characters)) return nothing
    return element(
      "li",
      { class: "property" },
      element(
        "div",
        { class: "property-head" },
        element("code", { class: "property-name" }, name),
        element("span", { class: "property-type" }, typeOf(this.document, given)),
        isRequired && element("span", { class: "property-required" }, messages.openApi.required),
        schema.deprecated === true &&
          element("span", { class: "badge deprecated" }, messages.openApi.deprecated)
      ),
      text !== "" && element("div", { class: "property-text" }, this.markdown(text)),
      constraints.length > 0 &&
        element(
          "dl",
          { class: "constraints" },
          constraints.map(({ kind, values }) =>
            element(
              "div",
              {},
              element("dt", {}, messages.openApi[kind]),
              element("dd", {}, element("code", {}, values.join(", ")))
            )
          )
        ),
      this.renderChildren(schema, depth, above)
    )
  }

  private renderChildren(schema: Json, depth: number, above: ReadonlyArray<unknown>): Content {
    if (depth >= maximumDepth || above.includes(schema)) return nothing
    const inside = [...above, schema]
    const content = this.renderContent(schema, depth + 1, inside)
    if (content.text === "") return nothing
    return element(
      "details",
      { class: "child-properties" },
      element("summary", {}, icon("chevron-right"), this.renderer.context.messages.openApi.properties),
      content
    )
  }

  /** Renders the alternatives of a schema, each of which readers expand. */
  private renderAlternatives(
    alternatives: ReadonlyArray<unknown>,
    depth: number,
    above: ReadonlyArray<unknown>
  ): Html {
    return fragment(
      this.detail.firstOf(alternatives).map((one, index) => {
        const alternative = this.document.object(one)
        if (alternative === undefined || above.includes(alternative)) return nothing
        if (!this.detail.takeProperty(depth)) return nothing
        const content = this.renderContent(alternative, depth + 1, [...above, alternative])
        const title = textOf(alternative.title) || typeOf(this.document, one)
        return content.text === ""
          ? element("p", { class: "alternative" }, title)
          : element(
              "details",
              { class: "alternative", open: index === 0 && depth === 0 },
              element("summary", {}, icon("chevron-right"), title),
              content
            )
      })
    )
  }

  /** Renders the properties of a schema, of its items, or of its alternatives. */
  renderContent(given: unknown, depth = 0, above: ReadonlyArray<unknown> = []): Html {
    const schema = this.document.object(given)
    if (schema === undefined || depth > maximumDepth) return nothing
    const properties = propertiesOf(schema, this.document.resolve)
    const alternatives = alternativesOf(schema, this.document.resolve)
    if (properties.length > 0 || alternatives.length > 0) {
      // An empty list would be an empty section, which readers can expand.
      if (!this.detail.hasProperties(depth)) return nothing
      return fragment(
        properties.length > 0 &&
          element(
            "ul",
            { class: "properties" },
            this.detail
              .firstOf(properties)
              .map(({ name, schema, isRequired }) =>
                this.renderProperty(name, schema, isRequired, "", depth, above)
              )
          ),
        this.renderAlternatives(alternatives, depth, above)
      )
    }
    const items = schema.items ?? schema.additionalProperties
    const item = this.document.object(items)
    return item === undefined || above.includes(item)
      ? nothing
      : this.renderContent(item, depth + 1, [...above, item])
  }
}
