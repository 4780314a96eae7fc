/**
 * Makes files of authors inert. A static host serves the files of an export in the origin of the documentation, and derives their
 * types from their names: a file that browsers execute would act there as a page of the documentation.
 */
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5"
import { escapeText } from "../html/Html.ts"

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** The endings of names whose types browsers display or save without running scripts of them in the origin. */
const inertEndings: ReadonlySet<string> = new Set(
  (
    "png jpg jpeg jfif gif webp avif apng bmp ico tif tiff heic svg mp3 m4a aac ogg oga opus wav flac mp4 m4v webm mov avi mkv " +
    "pdf txt csv tsv md json jsonl yaml yml toml log zip gz tgz tar 7z rar bz2 xz doc docx xls xlsx ppt pptx odt ods odp rtf epub " +
    "woff woff2 ttf otf stl obj glb gltf step dxf dwg psd ai eps fig sketch key pages numbers drawio bin exe dmg deb rpm apk ipa jar"
  ).split(" ")
)

/** The ending of files of all other types, which no host has a type for. */
const inertEnding = "download"

/**
 * Returns a name of a file that no host serves as a type that browsers execute. Hosts can read every part of a name between dots as
 * a type, so that the only dot is before the ending.
 */
export const inertName = (name: string, original = name): string => {
  const ending = /\.([a-z0-9]+)$/i.exec(original)?.[1]?.toLowerCase() ?? ""
  const isInert = inertEndings.has(ending)
  const stem = isInert && name.toLowerCase().endsWith(`.${ending}`) ? name.slice(0, -ending.length - 1) : name
  return `${stem.replaceAll(".", "-") || "file"}.${isInert ? ending : inertEnding}`
}

/** Whether links to a file of an export save it, because its name hides its type. */
export const isSaved = (path: string): boolean => path.endsWith(`.${inertEnding}`)

const svgNamespace = "http://www.w3.org/2000/svg"

/** The elements of images that remain. Neither scripts nor links, nor the HTML of `foreignObject`, are among them. */
const svgElements: ReadonlySet<string> = new Set(
  (
    "svg g defs symbol use switch path rect circle ellipse line polyline polygon text tspan textPath title desc style image " +
    "linearGradient radialGradient stop clipPath mask pattern marker filter view " +
    "animate animateMotion animateTransform mpath feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix " +
    "feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage " +
    "feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence"
  ).split(" ")
)

/** The references of images that remain: to a part of the image, and to pixels in it. */
const inertReference = /^\s*(?:#|data:image\/(?:png|jpeg|gif|webp|avif)[;,])/i

const attributeName = /^(?!on)[a-z_][\w-]*$/i

/** The maximum nesting of elements. Deeper ones are omitted. */
const maximumDepth = 200

const attributesOf = ({ attrs }: Element): string => {
  const written = new Map<string, string>()
  for (const { name, prefix, value } of attrs) {
    if (!attributeName.test(name) || name === "xmlns") continue
    if (name.toLowerCase() === "href") {
      if (inertReference.test(value)) written.set("xlink:href", value).set("href", value)
    } else if (prefix === "xml") written.set(`xml:${name}`, value)
    else if (prefix === undefined || prefix === "") written.set(name, value)
  }
  return Array.from(written, ([name, value]) => ` ${name}="${escapeText(value)}"`).join("")
}

const animatesReference = ({ attrs }: Element): boolean =>
  attrs.some(({ name, value }) => name.toLowerCase() === "attributename" && /href/i.test(value))

const writeNode = (node: Node, depth: number): string => {
  if (node.nodeName === "#text" && "value" in node) return escapeText(node.value)
  if (!("tagName" in node) || node.namespaceURI !== svgNamespace) return ""
  if (!svgElements.has(node.tagName) || depth > maximumDepth || animatesReference(node)) return ""
  const namespaces = depth === 0 ? ` xmlns="${svgNamespace}" xmlns:xlink="http://www.w3.org/1999/xlink"` : ""
  const children = node.childNodes.map((child) => writeNode(child, depth + 1)).join("")
  return `<${node.tagName}${namespaces}${attributesOf(node)}>${children}</${node.tagName}>`
}

/**
 * Returns an image in SVG without its scripts: only the elements and the attributes of drawings, in new markup. A file that is not an
 * image is an empty one.
 */
export const inertSvg = (bytes: Uint8Array): string => {
  const { childNodes } = parseFragment(new TextDecoder().decode(bytes))
  const image = childNodes.find((node) => node.nodeName === "svg")
  return image === undefined ? `<svg xmlns="${svgNamespace}"></svg>` : writeNode(image, 0)
}
