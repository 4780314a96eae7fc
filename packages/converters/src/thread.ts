/** The module that the pool's threads run. It loads the modules of a kind of task with the first task of that kind. */
import { serveTasks } from "./pool/serveTasks.ts"

// The parser of YAML reads an environment variable with each token. Reading one from the environment itself takes a quarter of
// its time.
process.env = { ...process.env }

serveTasks({
  pdf: async () => (await import("./pdf/pdfTask.ts")).pdfTask,
  read: async () => (await import("./imports/readTask.ts")).readTask,
  spec: async () => (await import("./openapi-specs/specTask.ts")).specTask
})
