/** The endpoints of uploads. */
import { UploadsApi } from "./UploadsApi.ts"

/** The groups of endpoints of uploads, in the order of the OpenAPI document. */
export const groups: readonly [typeof UploadsApi] = [UploadsApi]
