/** The module that the threads run: the compiled one, or its source. Tests replace it by a bundle, which starts faster. */
export const threadProgram = new URL(
  import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js",
  import.meta.url
)
