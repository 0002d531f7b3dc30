import { expect, it } from 'vitest'
import { toDaemonJson } from '../../src/status/daemon-json.ts'
import { createInstance, createReport } from './daemon-fixtures.ts'

it('has no underscore in a name, and leaves nothing out', () => {
  const report = { ...createReport(), instances: [createInstance()] }
  const json = JSON.stringify(toDaemonJson(report))
  const names = [...json.matchAll(/"([^"]+)":/g)].map(([, name = '']) => name)
  expect(names.filter((name) => name.includes('_'))).toEqual([])
  const toCamelCase = (name: string): string =>
    name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())
  const before = [...JSON.stringify(report).matchAll(/"([^"]+)":/g)].map(([, name = '']) => toCamelCase(name))
  expect(names.toSorted()).toEqual(before.toSorted())
})
