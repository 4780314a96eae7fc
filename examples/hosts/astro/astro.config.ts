import node from "@astrojs/node"
import { defineConfig } from "astro/config"

export default defineConfig({
  output: "server",
  adapter: node({ mode: "standalone" }),
  // They are loaded by Node, not bundled.
  vite: { ssr: { external: ["@lectern/core", "@lectern/http", "@lectern/storage-sqlite"] } }
})
