import { writeFileSync } from 'node:fs'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { hasDebugInformation } from '../../../src/dap/engines/debug-information.ts'

/** The least that an ELF file is: a header, one section that holds the names of all. */
function createElf(names: string): Buffer {
  const text = Buffer.from(`\0.shstrtab\0${names}`, 'latin1')
  const file = Buffer.alloc(128 + text.length)
  file.writeUInt32BE(0x7f454c46, 0)
  file.set([2, 1], 4)
  file.writeBigUInt64LE(64n, 0x28)
  file.writeUInt16LE(64, 0x3a)
  file.writeUInt16LE(1, 0x3c)
  file.writeBigUInt64LE(128n, 64 + 0x18)
  file.writeBigUInt64LE(BigInt(text.length), 64 + 0x20)
  file.set(text, 128)
  return file
}

test.each<[string, Buffer, boolean | undefined]>([
  ['with the section for it has it', createElf('.debug_info\0.text\0'), true],
  ['that names a file beside it has it', createElf('.gnu_debuglink\0'), true],
  ['without has none', createElf('.text\0.data\0'), false],
  ['that is cut off is not judged', createElf('.text\0').subarray(0, 90), undefined],
  ['that is a script is not judged', Buffer.from('#!/bin/sh\n'.repeat(20)), undefined],
  ['that is empty is not judged', Buffer.alloc(0), undefined],
])('a program %s', async (_, content, expected) => {
  const folder = await createTemporaryDirectory('switchboard-elf-')
  writeFileSync(folder.file('app'), content)
  expect(hasDebugInformation(folder.file('app'))).toBe(expected)
  await folder.remove()
})

test('a program that is not there is not judged', () => {
  expect(hasDebugInformation('/nowhere/app')).toBeUndefined()
})
