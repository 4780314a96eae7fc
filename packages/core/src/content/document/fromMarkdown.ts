import type { JsonDocument } from "./Document.ts"
export const fromMarkdown = (_markdown: string): JsonDocument => ({ object: "document", data: {}, nodes: [] })
