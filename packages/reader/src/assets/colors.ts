/** Colors with the contrast that the Web Content Accessibility Guidelines require. */

/** A color: red, green and blue from 0 to 255. */
type Color = readonly [red: number, green: number, blue: number]

/** Parses a color in hexadecimal notation with three or six digits; black if it is malformed. */
export const parseColor = (hex: string): Color => {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(hex)?.[1] ?? "000000"
  const six = digits.length === 3 ? Array.from(digits, (digit) => digit + digit).join("") : digits
  return [0, 2, 4].map((at) => Number.parseInt(six.slice(at, at + 2), 16)) as unknown as Color
}

/** Formats a color in hexadecimal notation. */
export const formatColor = (color: Color): string =>
  `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`

const linear = (channel: number): number => {
  const value = channel / 255
  return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

const luminance = ([red, green, blue]: Color): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

/** Returns the contrast ratio of two colors, from 1 to 21. */
export const contrast = (one: Color, other: Color): number => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const mix = (from: Color, to: Color, amount: number): Color =>
  from.map((channel, index) => channel + (to[index]! - channel) * amount) as unknown as Color

const white: Color = [255, 255, 255]
const black: Color = [0, 0, 0]

/**
 * Returns the color, darkened on a light background or lightened on a dark one until its contrast with the background is at
 * least `minimum`.
 */
export const readableOn = (hex: string, background: string, minimum: number): string => {
  const [color, behind] = [parseColor(hex), parseColor(background)]
  const target = luminance(behind) > 0.5 ? black : white
  for (let step = 0; step < 40; step++) {
    const candidate = mix(color, target, step / 40)
    if (contrast(parseColor(formatColor(candidate)), behind) >= minimum) return formatColor(candidate)
  }
  return formatColor(target)
}

/** Returns black or white: the one with the higher contrast with a color. */
export const textOn = (hex: string): string => {
  const color = parseColor(hex)
  return contrast(color, white) >= contrast(color, black) ? "#ffffff" : "#000000"
}
