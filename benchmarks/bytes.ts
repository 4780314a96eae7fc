/** A server that responds with the bytes of a file from memory. Run with `node bytes.ts <file> <port>`. */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"

const [file, port] = process.argv.slice(2)
const bytes = readFileSync(file!)
process.on("SIGTERM", () => process.exit(0))
createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length })
  response.end(bytes)
}).listen(Number(port), "127.0.0.1")
