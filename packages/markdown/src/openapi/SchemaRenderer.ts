/** Renders schemas of an API: types, constraints, and nested properties that readers expand. */
import { type ApiBuilder, type ApiContent, isEmpty } from "./ApiBuilder.ts"
import type { OpenApiDocument } from "./OpenApiDocument.ts"
import { isObject, type Json, textOf } from "./openApiReferences.ts"
import type { OperationDetail } from "./PageDetail.ts"
import { renderDescription } from "./renderDescription.ts"
import { constraintsOf, typeOf } from "./schemas.ts"

/** The maximum depth of nested properties. */
const maximumDepth = 6

/** Renders the schemas of one operation. */
export class SchemaRenderer<Node> {
  private readonly builder: ApiBuilder<Node>
  private readonly document: OpenApiDocument
  private readonly detail: OperationDetail

  constructor(builder: ApiBuilder<Node>, document: OpenApiDocument, detail: OperationDetail) {
    this.builder = builder
    this.document = document
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
  ): ApiContent<Node> {
    const { element, messages } = this.builder
    const schema = this.document.object(given) ?? {}
    const text =
      description || textOf(isObject(given) ? given.description : undefined) || textOf(schema.description)
    const constraints = constraintsOf(schema)
    const characters = constraints.reduce((sum, { values }) => sum + values.join(", ").length, name.length)
    if (!this.detail.takeProperty(depth, characters)) return undefined
    return element(
      "li",
      { class: "property" },
      element(
        "div",
        { class: "property-head" },
        element("code", { class: "property-name" }, name),
        element("span", { class: "property-type" }, typeOf(this.document, given)),
        isRequired && element("span", { class: "property-required" }, messages.required),
        schema.deprecated === true && element("span", { class: "badge deprecated" }, messages.deprecated)
      ),
      text !== "" &&
        element("div", { class: "property-text" }, renderDescription(this.builder, this.detail, text)),
      constraints.length > 0 &&
        element(
          "dl",
          { class: "constraints" },
          constraints.map(({ kind, values }) =>
            element(
              "div",
              {},
              element("dt", {}, messages[kind]),
              element("dd", {}, element("code", {}, values.join(", ")))
            )
          )
        ),
      this.renderChildren(schema, depth, above)
    )
  }

  private renderChildren(schema: Json, depth: number, above: ReadonlyArray<unknown>): ApiContent<Node> {
    if (depth >= maximumDepth || above.includes(schema)) return undefined
    const inside = [...above, schema]
    const content = this.renderContent(schema, depth + 1, inside)
    if (isEmpty(content)) return undefined
    return this.builder.element(
      "details",
      { class: "child-properties" },
      this.builder.element("summary", {}, this.builder.chevron(), this.builder.messages.properties),
      content
    )
  }

  /** Renders the alternatives of a schema, each of which readers expand. */
  private renderAlternatives(
    alternatives: ReadonlyArray<unknown>,
    depth: number,
    above: ReadonlyArray<unknown>
  ): ApiContent<Node> {
    const { element } = this.builder
    return this.detail.firstOf(alternatives).map((one, index) => {
      const alternative = this.document.object(one)
      if (alternative === undefined || above.includes(alternative)) return undefined
      if (!this.detail.takeProperty(depth)) return undefined
      const content = this.renderContent(alternative, depth + 1, [...above, alternative])
      const title = textOf(alternative.title) || typeOf(this.document, one)
      return isEmpty(content)
        ? element("p", { class: "alternative" }, title)
        : element(
            "details",
            { class: "alternative", open: index === 0 && depth === 0 },
            element("summary", {}, this.builder.chevron(), title),
            content
          )
    })
  }

  /** Renders the properties of a schema, of its items, or of its alternatives. */
  renderContent(given: unknown, depth = 0, above: ReadonlyArray<unknown> = []): ApiContent<Node> {
    const { element } = this.builder
    const schema = this.document.object(given)
    if (schema === undefined || depth > maximumDepth) return undefined
    const { properties, alternatives } = this.detail.expand(schema, this.document.resolve)
    if (properties.length > 0 || alternatives.length > 0) {
      // An empty list would be an empty section, which readers can expand.
      if (!this.detail.hasProperties(depth)) return undefined
      return [
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
      ]
    }
    const items = schema.items ?? schema.additionalProperties
    const item = this.document.object(items)
    return item === undefined || above.includes(item)
      ? undefined
      : this.renderContent(item, depth + 1, [...above, item])
  }
}
