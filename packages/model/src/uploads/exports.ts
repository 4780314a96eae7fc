/** The public names of uploads in `@lectern/model`. */
export { CreateUpload, UploadKey, UploadKind, UploadUrl } from "./Upload.ts"
