/** The public names of uploads in `@lectern/core`, besides the model. */
export { type ReceivedUpload, Uploads } from "./Uploads.ts"
export { UploadAddress, uploadsPath } from "./UploadUrls.ts"
