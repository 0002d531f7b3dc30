import { createNodeOfValue, type FieldTable, ProblemList } from '@switchboard/config'
import { listTables } from '@switchboard/config/file'
import { catchError } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { switchboardFile } from '../../src/configuration/switchboard-file.ts'
import { BASE_DIRECTORY, readText } from './read-config.ts'

describe('defaults', () => {
  it('fills an empty file', () => {
    expect(readText('{}')).toMatchObject({ servers: [], queues: {}, startParallelism: 8, profiles: {} })
    expect(readText('{}').gateway).toMatchObject({ host: '127.0.0.1', port: 19_877, auth: 'user', rates: {} })
    expect(readText('{}').daemon).toEqual({
      tcp: undefined,
      idleTimeout: undefined,
      keychain: 'auto',
      store: undefined,
      backup: 86_400_000,
      drain: 5000,
    })
  })

  it.each([
    [false, undefined],
    [true, { port: 19_876 }],
    [{}, { port: 19_876 }],
    [{ port: 0 }, { port: 0 }],
  ])('reads daemon.tcp %j as %j', (tcp, expected) => {
    expect(readText(JSON.stringify({ daemon: { tcp } })).daemon.tcp).toEqual(expected)
  })

  it.each(['yes', 19_876, null, []])('refuses daemon.tcp %j', (tcp) => {
    expect(() => readText(JSON.stringify({ daemon: { tcp } }))).toThrow('daemon.tcp')
  })

  it('reads daemon.store with its variables, and never shows one that is wrong', () => {
    const store = `\${URL_OF_STORE}/memory`
    const env = { URL_OF_STORE: 'postgres://ada:pass%20word@localhost' }
    expect(readText(JSON.stringify({ daemon: { store } }), env).daemon.store).toBe(`${env.URL_OF_STORE}/memory`)
    for (const wrong of ['mysql://ada:hunter2@localhost/x', 'postgres://ada:hunter2 @localhost/x', '']) {
      const error = catchError(() => readText(JSON.stringify({ daemon: { store: wrong } })))
      expect(error.message).toContain('daemon.store')
      expect(JSON.stringify(error.toReport())).not.toContain('hunter2')
    }
  })

  const tables: readonly FieldTable[] = listTables(switchboardFile.table).map(({ table }) => table.fields)
  const written = tables.flatMap((table) => Object.entries(table)).filter(([, { written }]) => written !== undefined)
  it.each(written)('reads the documented default of %s as what is used without the key', (key, field) => {
    const context = {
      problems: new ProblemList(),
      env: {},
      unresolved: 'refuse',
      baseDirectory: BASE_DIRECTORY,
    } as const
    expect(field.type.read(createNodeOfValue(field.written), [key], context)).toEqual({ value: field.fallback })
    context.problems.throwOnAny()
  })

  const examples = tables.flatMap((table) => Object.entries(table)).filter(([, field]) => field.examples !== undefined)
  it.each(examples)('accepts the documented examples of %s', (key, field) => {
    const context = { problems: new ProblemList(), env: {}, unresolved: 'keep', baseDirectory: BASE_DIRECTORY } as const
    for (const example of field.examples ?? []) field.type.read(createNodeOfValue(example), [key], context)
    context.problems.throwOnAny()
  })
})
