import { CollectionsApi } from "./CollectionsApi.ts"

export const groups: readonly [typeof CollectionsApi] = [CollectionsApi]
