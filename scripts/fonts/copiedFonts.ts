/** The files that the packages have copies of: fonts, with their licenses. */
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const require = createRequire(import.meta.url)

/** Returns the path of a file in a package. */
export const pathOf = ([name, file]: Source): string =>
  join(dirname(require.resolve(`${name}/package.json`)), file)

/** A file of a package. */
export type Source = readonly [name: string, file: string]

const converters = "packages/converters/assets/fonts"
const reader = "packages/reader/assets/fonts"
const noto = "@expo-google-fonts/noto-sans"
const thai = "@expo-google-fonts/noto-sans-thai"
const dejavu = "dejavu-fonts-ttf"

/** Each file of a package, with the path of its copy. */
export const copiedFonts: ReadonlyArray<readonly [source: Source, target: string]> = [
  [[noto, "400Regular/NotoSans_400Regular.ttf"], `${converters}/NotoSans-Regular.ttf`],
  [[noto, "700Bold/NotoSans_700Bold.ttf"], `${converters}/NotoSans-Bold.ttf`],
  [[noto, "400Regular_Italic/NotoSans_400Regular_Italic.ttf"], `${converters}/NotoSans-Italic.ttf`],
  [[noto, "700Bold_Italic/NotoSans_700Bold_Italic.ttf"], `${converters}/NotoSans-BoldItalic.ttf`],
  [[noto, "LICENSE_FONT"], `${converters}/LICENSE-NotoSans`],
  [[thai, "400Regular/NotoSansThai_400Regular.ttf"], `${converters}/NotoSansThai-Regular.ttf`],
  [[thai, "700Bold/NotoSansThai_700Bold.ttf"], `${converters}/NotoSansThai-Bold.ttf`],
  [[thai, "LICENSE_FONT"], `${converters}/LICENSE-NotoSansThai`],
  [
    ["@expo-google-fonts/noto-emoji", "400Regular/NotoEmoji_400Regular.ttf"],
    `${converters}/NotoEmoji-Regular.ttf`
  ],
  [["@expo-google-fonts/noto-emoji", "LICENSE_FONT"], `${converters}/LICENSE-NotoEmoji`],
  [[dejavu, "ttf/DejaVuSans.ttf"], `${converters}/DejaVuSans.ttf`],
  [[dejavu, "ttf/DejaVuSans-Bold.ttf"], `${converters}/DejaVuSans-Bold.ttf`],
  [[dejavu, "ttf/DejaVuSansMono.ttf"], `${converters}/DejaVuSansMono.ttf`],
  [[dejavu, "ttf/DejaVuSansMono-Bold.ttf"], `${converters}/DejaVuSansMono-Bold.ttf`],
  [[dejavu, "LICENSE"], `${converters}/LICENSE-DejaVu`],
  [[noto, "400Regular/NotoSans_400Regular.ttf"], `${reader}/NotoSans-Regular.ttf`],
  [[noto, "700Bold/NotoSans_700Bold.ttf"], `${reader}/NotoSans-Bold.ttf`],
  [[noto, "LICENSE_FONT"], `${reader}/LICENSE-NotoSans`]
]
