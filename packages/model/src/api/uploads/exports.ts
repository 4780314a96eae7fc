/** The public names of uploads in `@lectern/model/api`. */
export { UploadsApi } from "./UploadsApi.ts"
