/** The public names of uploads in `@lectern/core/model`. */
export { CreateUpload, UploadKey, UploadKind, UploadUrl } from "./Upload.ts"
