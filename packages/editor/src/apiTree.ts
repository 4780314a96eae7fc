/** The display of a part of an API as data, for workers: `@lectern/editor/api-tree`. Nothing here depends on a page. */

export { type ApiNames, namesOf } from "./apis/apiNames.ts"
export { type ApiTree, type ApiTreeOptions, openApiOf, renderApiTree } from "./apis/apiTree.ts"
export { parseDocument } from "./parseDocument.ts"
