import { readPart, withForeignFile } from '@switchboard/base'

const SECTION_HEADER = 64
const MAX_SECTIONS = 4_096
const MAX_NAMES = 1024 * 1024

/** Whether a compiled program tells which line its code is of. Undefined: it is of another kind than can be read here. */
export function hasDebugInformation(program: string): boolean | undefined {
  try {
    const names = withForeignFile(program, { maxBytes: Number.POSITIVE_INFINITY }, ({ fd }) => readSectionNames(fd))
    // What is kept in a file beside it counts as well.
    return names === undefined ? undefined : /\0\.z?debug_(?:info|line)\0|\0\.gnu_debuglink\0/.test(names)
  } catch {
    return undefined
  }
}

/** Of ELF with 64 bits, lowest byte first. */
function readSectionNames(file: number): string | undefined {
  const header = readPart(file, 0, SECTION_HEADER)
  if (header.length < SECTION_HEADER || header.readUInt32BE(0) !== 0x7f454c46 || header[4] !== 2 || header[5] !== 1) {
    return undefined
  }
  const start = Number(header.readBigUInt64LE(0x28))
  const [size, count, namesIndex] = [header.readUInt16LE(0x3a), header.readUInt16LE(0x3c), header.readUInt16LE(0x3e)]
  if (start === 0 || size < SECTION_HEADER || count === 0 || count > MAX_SECTIONS) return undefined
  const section = readPart(file, start + namesIndex * size, SECTION_HEADER)
  if (section.length < SECTION_HEADER) return undefined
  const length = Math.min(Number(section.readBigUInt64LE(0x20)), MAX_NAMES)
  return readPart(file, Number(section.readBigUInt64LE(0x18)), length).toString('latin1')
}
