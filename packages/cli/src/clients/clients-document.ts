/** `docs/clients.md`, made by what `switchboard init` writes with: the entry of each client, and where it goes. */
import { createClientEntry, ENTRY_NAME } from './client-entry.ts'
import { type ClientId, type ClientPlaces, listClientPlaces, type ServerList } from './client-places.ts'
import { editList } from './list/edit-list.ts'

const HOME = '~'
const NOTES: Readonly<Partial<Record<ClientId, string>>> = {
  'claude-code':
    'Or in a terminal: `claude mcp add --scope user switchboard -- switchboard mcp`. It asks for nothing else.',
  'claude-desktop': 'End it (not only its window) and start it again.',
  vscode:
    'Install [the extension](vscode.md) instead: it registers Switchboard for every window by itself, and `switchboard init` never writes this entry. Without the extension this is the way.',
  codex: 'It is TOML, and the table stands at the end of the file as well as anywhere else.',
  gemini: 'The file holds other settings too; add the key beside them.',
  zed: 'Its settings are JSON with comments; add the key beside the others.',
}

export async function createClientsDocument(): Promise<string> {
  const systems = (['linux', 'darwin', 'win32'] as const).map((platform) =>
    listClientPlaces({ env: platform === 'win32' ? { APPDATA: '%APPDATA%' } : {}, platform, home: HOME }),
  )
  const [linux = []] = systems
  const shown = linux.filter(({ id }) => id !== 'vscode-insiders')
  const sections = await Promise.all(shown.map((client) => createSection(client, systems)))
  return [
    '# Connecting each client',
    '',
    '<!-- Generated from packages/cli/src/clients/clients-document.ts. Do not edit. -->',
    '',
    '`switchboard init` writes these entries for you, after it has shown you each change, and takes them out again',
    '([init.md](init.md)). This page is for whoever writes them by hand. Start the client anew afterwards.',
    '',
    'The entries name the command `switchboard`, as it is after `npm i -g`. In a clone, or where a client does not find it',
    '(programs that are started from a desktop often have a short PATH), write the whole command that `npm start` prints: `init` does so.',
    '',
    ...sections.flat(),
    '## Any other',
    '',
    'One that starts programs: the command `switchboard mcp`. One that speaks HTTP: the address that `switchboard up` prints, with the',
    'header beside it where one is needed ([gateway.md](gateway.md)).',
    '',
  ].join('\n')
}

async function createSection(client: ClientPlaces, systems: readonly (readonly ClientPlaces[])[]): Promise<string[]> {
  const { id, name, user, project } = client
  const [list] = user
  if (list === undefined) throw new Error(`${name} has no list of servers`)
  const note = NOTES[id]
  return [
    `## ${name}`,
    '',
    `For you: ${placesOf(id, systems)}.${project.length === 0 ? '' : ` Of one project: ${project.map(({ file }) => `\`${file}\``).join(', ')}.`}`,
    '',
    `\`\`\`${list.format}`,
    await writeEntry(id, list),
    '```',
    '',
    ...(note === undefined ? [] : [note, '']),
  ]
}

function placesOf(id: ClientId, systems: readonly (readonly ClientPlaces[])[]): string {
  const files = systems.flatMap((places) => places.find((place) => place.id === id)?.user[0]?.file ?? [])
  const shown = files.map((file) => file.replace(/^~\\/, '%USERPROFILE%\\'))
  const [linux = '', mac = '', windows = ''] = shown
  const unix = linux === mac ? [`\`${linux}\``] : [`\`${linux}\` on Linux`, `\`${mac}\` on macOS`]
  return [...unix, `\`${windows}\` on Windows`].join(', ')
}

async function writeEntry(id: ClientId, { path, format }: ServerList): Promise<string> {
  const value = createClientEntry(id, ['switchboard', 'mcp'])
  const edited = await editList(undefined, format, { add: [{ path: [...path, ENTRY_NAME], value }] })
  if (edited.problem !== undefined) throw new Error(`The entry of ${id} cannot be written: ${edited.problem}`)
  return edited.text.trim()
}
