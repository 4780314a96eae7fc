/** The program of the pool's threads. The modules of a kind of task load when its first task runs. */
import { serveTasks } from "./pool/serveTasks.ts"

serveTasks({
  pdf: async () => (await import("./pdf/pdfTask.ts")).pdfTask,
  read: async () => (await import("./imports/readTask.ts")).readTask,
  spec: async () => (await import("./openapi-specs/specTask.ts")).specTask
})
