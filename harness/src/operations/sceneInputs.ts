/** The inputs of operations in a scene. */

/** Returns a change that inserts a page. */
export const page = (markdown: string) => ({ operation: "insert_page", document: { markdown } })

/** A change that inserts a page. */
export const insertedPage = page("# Another\n\nText.")
/** A change that inserts a file. */
export const insertedFile = {
  operation: "insert_files",
  files: [{ name: "a.png", contentType: "image/png", base64: "iVBORw0KGgo=" }]
}

/** The input for importing a page that the fetcher of the tests returns. */
export const importedPage = { url: "https://example.com/page.md", source: "markdown" }

/** The source of an OpenAPI spec, as text. */
export const specSource = {
  text: JSON.stringify({
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    paths: { "/pets": { get: { responses: {} } } }
  })
}

/** The source of a computed page, for the operations of the spec of the scene. */
export const computedSource = {
  type: "builtin:openapi",
  dependencies: { spec: { ref: { kind: "openapi", spec: "spec" } } },
  props: {}
}

/** The URL of the published site, which a proxy serves, and a path on it that is redirected. */
export const publishedUrl = "https://docs.example.com/site"
/** The host name that a site of the scene can get, and the subdomain that its organization can get. */
export const hostname = "hosted.docs.example.com"
export const subdomain = "scene-docs"
export const redirectSource = "/former"

/** An MCP server of a site. */
export const mcpServer = {
  name: "Tickets",
  url: "https://mcp.example.com/",
  headers: { authorization: "Bearer secret" }
}

/** A font of an uploaded file. */
export const fontOf = (storageKey: string) => ({
  fontFamily: "Acme Sans",
  fontFaces: [{ weight: 400, storageKey }]
})

/** A script of a site. */
export const siteScript = {
  name: "Statistics",
  source: { type: "template", template: "plausible", values: { domain: "docs.example.com" } }
}

/** A schema of the claims of visitors of a site. */
export const adaptiveSchema = { jsonSchema: { type: "object", properties: {}, additionalProperties: false } }

/** Returns the input for publishing an integration. */
export const integrationOf = (organization: string, scopes: ReadonlyArray<string> = []) => ({
  organization,
  title: "Integration",
  description: "",
  script: "x",
  scopes,
  visibility: "public",
  secrets: { key: "value" }
})
