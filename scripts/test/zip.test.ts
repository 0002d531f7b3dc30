import { crc32, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createZip } from '../run/zip.mjs'

/** As an installer reads it: from the directory at the end. */
function readZip(zip: Buffer): Record<string, string> {
  const end = zip.length - 22
  expect(zip.readUInt32LE(end)).toBe(0x06054b50)
  let at = zip.readUInt32LE(end + 16)
  const found: Record<string, string> = {}
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    expect(zip.readUInt32LE(at)).toBe(0x02014b50)
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const offset = zip.readUInt32LE(at + 42)
    expect(zip.readUInt32LE(offset)).toBe(0x04034b50)
    const begin = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
    const content = inflateRawSync(zip.subarray(begin, begin + zip.readUInt32LE(at + 20)))
    expect(content.length).toBe(zip.readUInt32LE(at + 24))
    expect(crc32(content)).toBe(zip.readUInt32LE(at + 16))
    found[name] = content.toString()
    at += 46 + nameLength
  }
  expect(at).toBe(end)
  return found
}

test('what is packed is unpacked as it was, empty files and names in other scripts included', () => {
  const files = { 'a/one.txt': 'one '.repeat(1000), empty: '', 'größe/日本.json': '{}' }
  const entries = Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text) }))
  expect(readZip(createZip(entries))).toEqual(files)
})

test('the same files make the same bytes at any time', () => {
  const entries = [{ name: 'a', content: Buffer.from('a') }]
  expect(createZip(entries)).toEqual(createZip(entries))
})
