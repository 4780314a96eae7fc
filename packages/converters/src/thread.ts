/** The module that the pool's threads run. It loads the modules of a kind of task with the first task of that kind. */
import { serveTasks } from "./pool/serveTasks.ts"

serveTasks({
  pdf: async () => (await import("./pdf/pdfTask.ts")).pdfTask,
  read: async () => (await import("./imports/readTask.ts")).readTask,
  spec: async () => (await import("./openapi-specs/specTask.ts")).specTask
})
