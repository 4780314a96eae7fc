/**
 * Starts Chromium from npm. The package contains the libraries that it needs, so that it also starts on a machine without
 * a desktop; they are extracted once per version to the temporary folder.
 */
import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"

/** Extracts the browser, its libraries and its fonts to the folder `process.env.TMPDIR`. */
const extractProgram = `
  import { createRequire } from "node:module"
  import { dirname, join } from "node:path"
  import { pathToFileURL } from "node:url"
  const main = createRequire(process.argv[1]).resolve("@sparticuz/chromium")
  const { default: chromium, inflate } = await import(pathToFileURL(main).href)
  const bin = join(dirname(main), "..", "bin")
  await Promise.all([chromium.executablePath(bin), inflate(join(bin, "al2023.tar.br"))])
`

const versionOf = (): string => {
  const manifest = new URL("../../../../node_modules/@sparticuz/chromium/package.json", import.meta.url)
  return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version
}

/** Returns the folder with the extracted browser. Test files run in several processes: the first to finish provides it. */
const extractBrowser = (): string => {
  const folder = join(tmpdir(), `lectern-chromium-${versionOf()}`)
  if (existsSync(folder)) return folder
  const temporary = mkdtempSync(join(tmpdir(), "lectern-chromium-"))
  mkdirSync(temporary, { recursive: true })
  execFileSync(process.execPath, ["--input-type=module", "-e", extractProgram, import.meta.filename], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: "inherit"
  })
  // The configuration of the fonts names the folder of the browser in another environment.
  const configuration = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>`
  writeFileSync(join(temporary, "fonts", "fonts.conf"), configuration)
  const emoji = import.meta.resolve("@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf")
  copyFileSync(new URL(emoji), join(temporary, "fonts", "fonts", "NotoEmoji.ttf"))
  try {
    renameSync(temporary, folder)
  } catch {
    rmSync(temporary, { recursive: true, force: true })
  }
  return folder
}

/** Starts a browser. The caller closes it. */
export const openBrowser = (): Promise<Browser> => {
  const folder = extractBrowser()
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    // The sandbox requires privileges that containers do not have. It opens only pages of the tests.
    args: [
      "--no-sandbox",
      "--no-zygote",
      "--disable-dev-shm-usage",
      "--disable-gpu",
      "--font-render-hinting=none"
    ],
    headless: true,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
      FONTCONFIG_PATH: join(folder, "fonts"),
      HOME: folder
    }
  })
}
