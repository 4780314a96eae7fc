/** The display of blocks of APIs without an editor: `@lectern/editor/api`. */

export type { Loaded } from "./ApiSources.ts"
export type { ApiPart } from "./apiPart.ts"
export type { ApiTree } from "./apis/apiTree.ts"
export { type ApiRequest, type DisplayApiOptions, displayApi } from "./apis/displayApi.ts"
