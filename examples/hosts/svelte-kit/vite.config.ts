import { sveltekit } from "@sveltejs/kit/vite"
import { defineConfig } from "vite"

export default defineConfig({
  plugins: [sveltekit()],
  // They are loaded by Node, not bundled.
  ssr: { external: ["@lectern/core", "@lectern/http", "@lectern/storage-sqlite"] }
})
