import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/command-line/commands.ts'
import { createCommandDocument } from '../../src/help/command-document.ts'
import { createCompletionScript } from '../../src/help/completion-script.ts'
import { formatHelp } from '../../src/help/format-help.ts'
import { VERSION } from '../../src/program/program-version.ts'
import { createStyle } from '../../src/terminal/style.ts'
import { textWidth } from '../../src/terminal/text-width.ts'
import { CapturedStream } from '../run-main.ts'

const style = createStyle(new CapturedStream(), { env: {}, noColor: true })

test('the version is that of package.json', async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(manifest).toMatchObject({ version: VERSION })
})

describe('help', () => {
  test.each([undefined, 'server', ...COMMANDS.map(({ name }) => name)])('of %s is pinned', (topic) => {
    expect(formatHelp(topic, { style, width: 90 })).toMatchSnapshot()
  })

  test('is wrapped to a narrow terminal, examples and usage lines excepted', () => {
    const lines = formatHelp('status', { style, width: 60 }).split('\n')
    const prose = lines.filter((line) => !/switchboard/.test(line))
    expect(Math.max(...prose.map(textWidth))).toBeLessThanOrEqual(60)
  })
})

test('docs/command.md is current', async () => {
  const page = await readFile(new URL('../../../../docs/command.md', import.meta.url), 'utf8')
  expect(page.replaceAll('\r\n', '\n')).toBe(createCommandDocument())
})

test.each(['bash', 'zsh', 'fish'])('completion of %s knows every command and every option', (shell) => {
  const script = createCompletionScript(shell, COMMANDS)
  const missing = COMMANDS.flatMap(({ name, options }) => [
    ...name.split(' ').filter((word) => !script.includes(word)),
    ...options.flatMap((option) =>
      script.includes(shell === 'fish' ? `-l ${option.name}` : `--${option.name}`) ? [] : [option.name],
    ),
  ])
  expect(missing).toEqual([])
})
