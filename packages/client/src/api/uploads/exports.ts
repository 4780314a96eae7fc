/** The public names of uploads in `@lectern/client`. */
export { UploadsApi } from "./UploadsApi.ts"
