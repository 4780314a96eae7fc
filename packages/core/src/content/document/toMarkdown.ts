import type { JsonDocument } from "./Document.ts"
export const toMarkdown = (_document: JsonDocument): string => ""
