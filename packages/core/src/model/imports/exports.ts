/** What `@lectern/core/model` exports of imports. */
export { ImportContent, ImportedContent, ImportSource } from "./Import.ts"
