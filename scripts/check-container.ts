/**
 * Executes the steps of the Containerfile in a temporary folder, without a container engine, and starts the command of the last
 * stage: `/readyz` must be 200. Prints the size of the files. With `--engine podman` (or docker), builds and starts the image.
 */
import { execFileSync, spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

const repository = fileURLToPath(new URL("..", import.meta.url))
const { values } = parseArgs({ options: { engine: { type: "string" } } })

/** An instruction of a Containerfile. */
interface Instruction {
  readonly name: string
  readonly text: string
}

const instructions: ReadonlyArray<Instruction> = readFileSync(join(repository, "Containerfile"), "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "" && !line.startsWith("#"))
  .map((line) => {
    const [name = ""] = line.split(" ", 1)
    return { name, text: line.slice(name.length + 1) }
  })

const run = (
  command: string,
  args: ReadonlyArray<string>,
  cwd: string,
  env: NodeJS.ProcessEnv = process.env
) => execFileSync(command, args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] })

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** Waits until a server is ready, for at most 60 s. */
const waitUntilReady = async (url: string): Promise<void> => {
  const deadline = Date.now() + 60_000
  for (;;) {
    const status = await fetch(`${url}/readyz`).then(
      (response) => response.status,
      () => 0
    )
    if (status === 200) return
    if (Date.now() > deadline) throw new Error(`${url}/readyz did not respond with 200 within 60 s.`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Copies the files of the context that git does not ignore. */
const copyContext = (target: string): void => {
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: repository,
    encoding: "utf8"
  })
  for (const file of files.split("\0").filter((name) => name !== "")) {
    if (existsSync(join(repository, file))) cpSync(join(repository, file), join(target, file))
  }
}

/** Executes the steps below a folder. Returns the folder, the environment and the command of the last stage. */
const executeSteps = (root: string) => {
  const context = join(root, "context")
  copyContext(context)
  const stages = new Map<string, string>()
  let stage = ""
  let workingDirectory = "/"
  let env: Record<string, string> = {}
  let command: ReadonlyArray<string> = []
  const inStage = (path: string) => join(stage, path.startsWith("/") ? path : join(workingDirectory, path))
  for (const { name, text } of instructions) {
    switch (name) {
      case "FROM": {
        const alias = / AS (\S+)$/.exec(text)?.[1] ?? "final"
        stage = join(root, "stages", alias)
        mkdirSync(stage, { recursive: true })
        stages.set(alias, stage)
        env = {}
        break
      }
      case "WORKDIR":
        workingDirectory = text
        mkdirSync(inStage("."), { recursive: true })
        break
      case "COPY": {
        const parts = text.split(" ")
        const from = /^--from=(\S+)$/.exec(parts[0]!)?.[1]
        const [sources, target] = [parts.slice(from === undefined ? 0 : 1, -1), parts.at(-1)!]
        const origin = from === undefined ? context : stages.get(from)!
        for (const source of sources) {
          const into = target === "./" ? inStage(source) : inStage(target)
          cpSync(join(origin, source), into, { recursive: true, verbatimSymlinks: true })
        }
        break
      }
      case "RUN": {
        // The user of the image does not exist here.
        const script = text.replaceAll("chown -R node:node", "chmod -R u+w")
        run("sh", ["-euc", script], inStage("."), { PATH: process.env.PATH, HOME: process.env.HOME })
        break
      }
      case "ENV":
        for (const [, key, value] of text.matchAll(/(\w+)=(\S+)/g)) env[key!] = value!
        break
      case "ENTRYPOINT":
      case "CMD":
        command = [...command, ...(JSON.parse(text) as ReadonlyArray<string>)]
        break
      case "USER":
      case "EXPOSE":
      case "VOLUME":
      case "STOPSIGNAL":
      case "HEALTHCHECK":
        break
      default:
        throw new Error(`The instruction ${name} is not supported by this script.`)
    }
  }
  return { folder: inStage("."), env, command }
}

const sizeOf = (folder: string): number =>
  Number(execFileSync("du", ["-sk", folder], { encoding: "utf8" }).split("\t")[0]) / 1024

const checkSteps = async (): Promise<void> => {
  const root = mkdtempSync(join(tmpdir(), "lectern-container-"))
  try {
    const { folder, env, command } = executeSteps(root)
    const port = await freePort()
    const [program, ...args] = command
    const server = spawn(program!, args, {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        ...env,
        LECTERN_PORT: String(port),
        LECTERN_DATABASE_URL: `sqlite:${join(folder, "data/lectern.db")}`
      },
      stdio: ["ignore", "pipe", "inherit"]
    })
    let printed = ""
    server.stdout?.on("data", (text) => {
      printed += text
    })
    const exit = new Promise<number | null>((resolve) => server.once("exit", resolve))
    try {
      await waitUntilReady(`http://127.0.0.1:${port}`)
      if (printed.includes("npm install")) throw new Error(`An optional package is missing:\n${printed}`)
    } finally {
      server.kill("SIGTERM")
    }
    const code = await exit
    if (code !== 0) throw new Error(`The server ended with ${code}:\n${printed}`)
    for (const part of ["packages", "node_modules"]) {
      console.log(`${relative(folder, join(folder, part))}: ${sizeOf(join(folder, part)).toFixed(0)} MiB`)
    }
    statSync(join(folder, "data/lectern.db"))
    console.log("The steps of the Containerfile succeed, and its command serves.")
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const checkImage = async (engine: string): Promise<void> => {
  run(engine, ["build", "--file", "Containerfile", "--tag", "lectern-check", "."], repository)
  const port = await freePort()
  const id = execFileSync(
    engine,
    ["run", "--detach", "--publish", `127.0.0.1:${port}:4400`, "lectern-check"],
    {
      encoding: "utf8"
    }
  ).trim()
  try {
    await waitUntilReady(`http://127.0.0.1:${port}`)
    console.log("The image builds, and its server is ready.")
  } finally {
    run(engine, ["rm", "--force", id], repository)
  }
}

await (values.engine === undefined ? checkSteps() : checkImage(values.engine))
