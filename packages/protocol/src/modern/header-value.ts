/** Text as the value of an HTTP header: printable ASCII as it is, anything else as `=?base64?…?=` of its UTF-8. */

const WRAPPED = /^=\?base64\?(.*)\?=$/is
/** With its padding: `atob` would also take text that lacks it, and a reader that does not would see another value. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const PRINTABLE = /^[\x20-\x7e]*$/

export function encodeHeaderValue(text: string): string {
  // Spaces at the ends are lost on the way, and a text that looks wrapped would be unwrapped by the reader.
  if (PRINTABLE.test(text) && text.trim() === text && !WRAPPED.test(text)) return text
  let bytes = ''
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  return `=?base64?${btoa(bytes)}?=`
}

/** Undefined for a value that says it is base64 of UTF-8 and is not. */
export function decodeHeaderValue(value: string): string | undefined {
  const encoded = WRAPPED.exec(value)?.[1]
  if (encoded === undefined) return value
  if (!BASE64.test(encoded)) return undefined
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
