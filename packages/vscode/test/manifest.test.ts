import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
const manifest = read('../extension/package.json')
const own = read('../package.json')

test('the extension has the version of its package, and asks for no proposed API', () => {
  expect(manifest.version).toBe(own.version)
  expect(manifest).not.toHaveProperty('enabledApiProposals')
  expect(manifest.engines.vscode).toBe(`^${own.devDependencies['@types/vscode']}`)
})

test('the provider and its label are those that the code registers, and hold no id', () => {
  expect(manifest.contributes.mcpServerDefinitionProviders).toEqual([{ id: 'switchboard', label: 'Switchboard' }])
})

test('no folder can name what runs Switchboard, nor where its home is', () => {
  const { properties } = manifest.contributes.configuration
  expect(properties['switchboard.nodePath'].scope).toBe('machine')
  expect(properties['switchboard.home'].scope).toBe('machine')
})

test('everything that is named is there: commands of menus and walkthroughs, and the files', () => {
  const { commands, menus, walkthroughs, viewsWelcome, views } = manifest.contributes
  const known = new Set<string>(commands.map(({ command }: { command: string }) => command))
  for (const view of views.switchboard) known.add(`${view.id}.focus`)
  const inMenus = Object.values<{ command: string }[]>(menus).flatMap((menu) => menu.map(({ command }) => command))
  const inTexts = [...JSON.stringify([walkthroughs, viewsWelcome]).matchAll(/\(command:([\w.]+)\)/g)].map(
    ([, id]) => id ?? '',
  )
  expect([...inMenus, ...inTexts].filter((command) => !known.has(command))).toEqual([])
  const files = [
    manifest.icon,
    manifest.contributes.viewsContainers.activitybar[0].icon,
    ...walkthroughs[0].steps.map(({ media }: { media: { markdown: string } }) => media.markdown),
  ]
  const isThere = (file: string) => existsSync(fileURLToPath(new URL(`../extension/${file}`, import.meta.url)))
  expect(files.filter((file) => !isThere(file))).toEqual([])
})
