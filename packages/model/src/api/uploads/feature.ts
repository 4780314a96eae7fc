import { UploadsApi } from "./UploadsApi.ts"

export const groups: readonly [typeof UploadsApi] = [UploadsApi]
