// A zip file as installers read it: deflated, no dates of this machine, so that the same files make the same bytes.

import { crc32, deflateRawSync } from 'node:zlib'

/** The first day that the format knows. */
const DATE = (1 << 5) | 1
const UTF8_NAMES = 0x0800
const DEFLATED = 8
const VERSION = 20

/**
 * @typedef {object} ZipEntry
 * @property {string} name with forward slashes
 * @property {Buffer} content
 */

/** @param {readonly ZipEntry[]} entries @returns {Buffer} */
export function createZip(entries) {
  const parts = []
  const directory = []
  let offset = 0
  for (const { name, content } of entries) {
    const path = Buffer.from(name)
    const packed = deflateRawSync(content, { level: 9 })
    const common = describeEntry(content, packed, path)
    const local = Buffer.concat([number(0x04034b50, 4), common, path, packed])
    directory.push(
      // The last six: comment, disk, kind of content, rights (0644 of a plain file), and where it lies.
      Buffer.concat([
        number(0x02014b50, 4),
        number((3 << 8) | VERSION, 2),
        common,
        number(0, 2),
        number(0, 2),
        number(0, 2),
        number(0o100644 * 0x10000, 4),
        number(offset, 4),
        path,
      ]),
    )
    parts.push(local)
    offset += local.length
  }
  const index = Buffer.concat(directory)
  const count = number(entries.length, 2)
  const end = [
    number(0x06054b50, 4),
    number(0, 4),
    count,
    count,
    number(index.length, 4),
    number(offset, 4),
    number(0, 2),
  ]
  return Buffer.concat([...parts, index, ...end])
}

/** What stands before each file, and again in the directory. @param {Buffer} content @param {Buffer} packed @param {Buffer} path */
function describeEntry(content, packed, path) {
  return Buffer.concat([
    number(VERSION, 2),
    number(UTF8_NAMES, 2),
    number(DEFLATED, 2),
    number(0, 2),
    number(DATE, 2),
    number(crc32(content), 4),
    number(packed.length, 4),
    number(content.length, 4),
    number(path.length, 2),
    number(0, 2),
  ])
}

/** @param {number} value @param {number} bytes */
function number(value, bytes) {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntLE(value, 0, bytes)
  return buffer
}
