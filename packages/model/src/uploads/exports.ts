export { CreateUpload, UploadKey, UploadKind, UploadUrl } from "./Upload.ts"
