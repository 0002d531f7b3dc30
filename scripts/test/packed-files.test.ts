import { expect, test } from 'vitest'
import { commandFiles } from '../run/bundle.mjs'
import { rootManifest } from './workspace.ts'

test('every file of the command goes into the package that npm makes', () => {
  const { files = [] } = rootManifest
  const isPacked = (file: string): boolean => files.some((packed) => file === packed || file.startsWith(`${packed}/`))
  expect(commandFiles.map((file) => file.replaceAll('\\', '/')).filter((file) => !isPacked(file))).toEqual([])
})
