/** Renders a schema of an API. */
import { type ApiBuilder, isEmpty } from "./ApiBuilder.ts"
import type { OpenApiDocument } from "./OpenApiDocument.ts"
import type { PageDetail } from "./PageDetail.ts"
import { renderDescription, renderIncomplete } from "./renderDescription.ts"
import { SchemaRenderer } from "./SchemaRenderer.ts"
import { typeOf } from "./schemas.ts"

/** Renders a schema with its name as its heading. It shares the detail of its page. */
export const renderSchema = <Node>(
  builder: ApiBuilder<Node>,
  document: OpenApiDocument,
  [name, schema]: readonly [name: string, schema: unknown],
  page: PageDetail
): Node => {
  const { element } = builder
  const detail = page.operation()
  const description = document.object(schema)?.description
  const content = new SchemaRenderer(builder, document, detail).renderContent(schema)
  return element(
    "section",
    { class: "api-schema" },
    builder.heading(name.toLowerCase(), name),
    typeof description === "string" && renderDescription(builder, detail, description),
    isEmpty(content)
      ? element("p", {}, element("code", {}, typeOf(document, document.resolve(schema))))
      : content,
    renderIncomplete(builder, detail)
  )
}
