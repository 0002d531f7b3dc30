// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of variables is what is written here

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catchRejection } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadPoolConfig } from '../../src/config/pool-config.ts'

let directory = ''
let file = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'switchboard-config-'))
  file = join(directory, 'config.json')
})
afterEach(() => rmSync(directory, { recursive: true }))

describe('loadPoolConfig', () => {
  it('reads a file and resolves a relative cwd against its folder', async () => {
    writeFileSync(file, '\uFEFF{ "mcpServers": { "s": { "command": "${PROGRAM}", "cwd": "sub" } } }')
    const { servers } = await loadPoolConfig({ file, env: { PROGRAM: 'program' } })
    expect(servers).toMatchObject([{ command: 'program', cwd: join(directory, 'sub') }])
  })

  it('takes a missing file for an empty configuration only if asked to', async () => {
    const { servers, queues, startParallelism } = await loadPoolConfig({ file, env: {}, optional: true })
    expect({ servers, queues, startParallelism }).toEqual({ servers: [], queues: {}, startParallelism: 8 })
    const error = await catchRejection(loadPoolConfig({ file, env: {} }))
    expect(error.code).toBe('invalid_configuration')
    expect(error.message).toBe(`${file}: there is no such file. Expected a configuration file that this user can read.`)
  })

  it('refuses an empty file even when it is optional', async () => {
    writeFileSync(file, '')
    const error = await catchRejection(loadPoolConfig({ file, env: {}, optional: true }))
    expect(error.message).toContain(`${file}:1:1: a value is missing here.`)
  })

  it('refuses a directory', async () => {
    const error = await catchRejection(loadPoolConfig({ file: directory, env: {}, optional: true }))
    expect(error.code).toBe('invalid_configuration')
    expect(error.message).toContain(directory)
  })

  it('refuses text that is not UTF-8', async () => {
    writeFileSync(file, Buffer.from('\uFEFF{}', 'utf16le'))
    const error = await catchRejection(loadPoolConfig({ file, env: {} }))
    expect(error.message).toBe(`${file}: is not UTF-8 text. Expected a file saved as UTF-8.`)
  })
})
