/** Renders the schemas of an API. */
import { type ApiBuilder, isEmpty } from "./ApiBuilder.ts"
import type { OpenApiDocument } from "./OpenApiDocument.ts"
import { SchemaRenderer } from "./SchemaRenderer.ts"
import { typeOf } from "./schemas.ts"

/** Renders schemas, each with its name as its heading. */
export const renderSchemas = <Node>(
  builder: ApiBuilder<Node>,
  document: OpenApiDocument,
  schemas: ReadonlyArray<readonly [name: string, schema: unknown]>
): ReadonlyArray<Node> => {
  const { element } = builder
  return schemas.map(([name, schema]) => {
    const rendering = new SchemaRenderer(builder, document)
    const description = document.object(schema)?.description
    const content = rendering.renderContent(schema)
    return element(
      "section",
      { class: "api-schema" },
      builder.heading(name.toLowerCase(), name),
      typeof description === "string" && builder.markdown(description),
      isEmpty(content)
        ? element("p", {}, element("code", {}, typeOf(document, document.resolve(schema))))
        : content
    )
  })
}
