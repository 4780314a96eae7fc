export { UploadsApi } from "./UploadsApi.ts"
