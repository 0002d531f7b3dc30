import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createToolFilter } from '@switchboard/protocol/naming'
import { expect, it } from 'vitest'
import { switchboardFile } from '../../src/configuration/switchboard-file.ts'
import { readInstructions } from '../../src/modes/read-instructions.ts'

const folder = new URL('../../../../examples/modes/', import.meta.url)
const load = () =>
  switchboardFile.load({ file: fileURLToPath(new URL('config.jsonc', folder)), env: { HOME: '/people/me' } })

it('the example configuration is right, and each of its modes has something to tell', async () => {
  const { modes, gateway } = await load()
  expect(Object.keys(modes)).toEqual(['ck3lens', 'ck3raven-dev'])
  expect(gateway.modeForHttp).toBe('ck3lens')
  for (const [name, mode] of Object.entries(modes)) {
    expect(await readInstructions(name, mode)).toContain(`# Mode ${name}`)
    expect(mode.writable?.[0]).toBe(`\${workspace}`)
  }
})

it('its modes keep apart what they should: no shell for mods, no playsets for the tool’s own source', async () => {
  const { modes } = await load()
  const lens = createToolFilter(modes.ck3lens?.tools ?? { allow: ['none'], deny: [] })
  const tool = createToolFilter(modes['ck3raven-dev']?.tools ?? { allow: ['none'], deny: [] })
  const names = ['lens_search', 'files_write_file', 'shell_run', 'ck3_playset_switch']
  expect(names.map(lens)).toEqual([true, true, false, true])
  expect(names.map(tool)).toEqual([true, true, true, false])
})

it('the README names the file that is there', async () => {
  expect(await readFile(new URL('README.md', folder), 'utf8')).toContain('examples/modes/config.jsonc')
})

it('instructions that cannot be read are told with the key to correct', async () => {
  const { modes } = await load()
  const mode = modes.ck3lens
  if (mode === undefined) throw new Error('There is no ck3lens')
  const missing = { ...mode, instructionsFile: '/nowhere/x.md' }
  await expect(readInstructions('ck3lens', missing)).rejects.toMatchObject({
    code: 'invalid_configuration',
    hint: expect.stringContaining('modes.ck3lens.instructionsFile'),
  })
  await expect(readInstructions('ck3lens', { ...mode, instructionsFile: '/' })).rejects.toThrow(
    'it is a folder, not a plain file',
  )
})
