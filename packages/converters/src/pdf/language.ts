/** Detects the language of text by its script, for screen readers and fonts. */

/** The languages by script, in order of precedence: Japanese text has kana and Chinese characters. */
const languages: ReadonlyArray<readonly [language: string, script: RegExp]> = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["ko", /\p{Script=Hangul}/gu],
  ["zh", /\p{Script=Han}/gu],
  ["th", /\p{Script=Thai}/gu],
  ["ar", /\p{Script=Arabic}/gu],
  ["he", /\p{Script=Hebrew}/gu],
  ["ru", /\p{Script=Cyrillic}/gu],
  ["el", /\p{Script=Greek}/gu],
  ["hi", /\p{Script=Devanagari}/gu]
]

/** The maximum number of characters that are examined. */
const sampleLength = 4000

/** The share of letters that a script needs. Japanese has at least this share of kana. */
const minShare = 0.15

/** Returns the language of text whose script has one probable language, or `undefined`, as for Latin letters. */
export const detectLanguage = (text: string): string | undefined => {
  const sample = text.slice(0, sampleLength)
  if (/^[\x20-\x7e\s]*$/.test(sample)) return undefined
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  return languages.find(([, script]) => (sample.match(script)?.length ?? 0) > letters * minShare)?.[0]
}
