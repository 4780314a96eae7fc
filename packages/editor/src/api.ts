/** The display of blocks of APIs without an editor: `@lectern/editor/api`. */

export type { ApiPart } from "./apiPart.ts"
export type { ApiLoader, ApiRequest } from "./apis/ApiLoader.ts"
export type { ApiNames } from "./apis/apiNames.ts"
export type { ApiTree } from "./apis/apiTree.ts"
export type { Loaded } from "./Loaded.ts"
export { type DisplayApiOptions, displayApi } from "./views/displayApi.ts"
