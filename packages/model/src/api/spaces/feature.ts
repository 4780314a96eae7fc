import { SpacesApi } from "./SpacesApi.ts"

export const groups: readonly [typeof SpacesApi] = [SpacesApi]
