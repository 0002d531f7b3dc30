/** In which clients our extension is installed: it registers Switchboard for every window, so that no file has to. */
import { readdir } from 'node:fs/promises'
import { readForeignBytes } from '@switchboard/base'
import { readJsonText } from '@switchboard/config/text'
import { isJsonObject } from '@switchboard/protocol'
import { type ClientId, listClientPlaces, type Machine, pathOf } from '../../clients/client-places.ts'

/** Of the provider that the extension contributes. */
const PROVIDER_ID = 'switchboard'
/** Far more than a manifest, or the list of what is to be deleted. */
const MAX_BYTES = 4 * 1024 * 1024

export async function findExtended(machine: Machine): Promise<ReadonlySet<ClientId>> {
  const found = new Set<ClientId>()
  for (const { id, extensions = [] } of listClientPlaces(machine)) {
    for (const folder of extensions) if (await hasExtension(folder, machine)) found.add(id)
  }
  return found
}

async function hasExtension(folder: string, machine: Machine): Promise<boolean> {
  const { join } = pathOf(machine)
  const names = (await readdir(folder).catch(() => [])).filter((name) => /switchboard/i.test(name))
  if (names.length === 0) return false
  // What was uninstalled stays there until VS Code starts the next time.
  const obsolete = await readObject(join(folder, '.obsolete'))
  for (const name of names) {
    if (obsolete?.[name] === true) continue
    const contributes = (await readObject(join(folder, name, 'package.json')))?.contributes
    const providers = isJsonObject(contributes) ? contributes.mcpServerDefinitionProviders : undefined
    const isOurs = (provider: unknown): boolean => isJsonObject(provider) && provider.id === PROVIDER_ID
    if (Array.isArray(providers) && providers.some(isOurs)) return true
  }
  return false
}

/** Undefined: it is not there, or no such thing. */
async function readObject(file: string): Promise<Record<string, unknown> | undefined> {
  const text = await readForeignBytes(file, { maxBytes: MAX_BYTES }).then(String, () => undefined)
  const reading = text === undefined ? undefined : readJsonText(text)
  return reading?.problem === undefined && isJsonObject(reading?.value) ? reading.value : undefined
}
