/** The editing surface of Lectern: every block of the document model, without loss. */
export * from "./EditorBackend.ts"
export { fromDocument, schema, toDocument } from "./convert.ts"
